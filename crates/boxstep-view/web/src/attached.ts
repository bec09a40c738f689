// Files that belong to boxes: their pictures, and those that a parameter can name.

/** What a box or parameter whose name has one of these words takes. */
const KINDS: [RegExp, string[]][] = [
  [/sound|music|audio|song|noise/i, ['wav', 'mp3', 'ogg', 'oga', 'm4a', 'flac']],
  [/image|picture|photo|icon|slide/i, ['png', 'jpg', 'jpeg', 'gif', 'bmp', 'webp', 'svg']],
  [/video|movie|film/i, ['mp4', 'webm', 'ogv', 'avi', 'mkv']],
  [/dialog|topic/i, ['dlg', 'top']],
  [/posture|pose\b/i, ['pose', 'pml']],
  [/web|html|page|tablet/i, ['html', 'htm']],
];

const endingOf = (path: string) => /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';

/** Files in two groups: those that a parameter is meant for, by what it has now or by names, and the others. */
export function choicesOf(files: readonly string[], value: string, names: readonly string[]): { fits: string[]; others: string[] } {
  const ending = endingOf(value);
  const kind = KINDS.find(([, endings]) => endings.includes(ending)) ?? (ending ? undefined : KINDS.find(([words]) => names.some((name) => words.test(name))));
  const wanted = kind?.[1] ?? (ending ? [ending] : []);
  const fits = files.filter((path) => wanted.includes(endingOf(path)));
  return { fits, others: files.filter((path) => !wanted.includes(endingOf(path))) };
}

/** Whether the server gives a file as a picture: drawings in SVG can contain scripts, so they are none. */
export const isPicture = (path: string) => ['png', 'jpg', 'jpeg', 'gif', 'bmp', 'webp'].includes(endingOf(path));

/** Where the server has a picture of the folder. */
export const pictureUrl = (path: string) => `/picture/${path.split('/').map(encodeURIComponent).join('/')}`;

/** The picture of a box that is in the folder: those of the editor are not, and are drawn as icons. */
export function pictureOf(images: readonly string[] | undefined, files: ReadonlySet<string>): string | undefined {
  return images?.map((path) => path.replaceAll('\\', '/').replace(/^(\.?\/)+/, '')).find((path) => files.has(path));
}

const SVG = 'http://www.w3.org/2000/svg';
const SIZE = 19;

/** Draws pictures in place of the icons of boxes. */
export function putPictures(drawing: Element, boxes: ReadonlyMap<string, Element>, pictures: ReadonlyMap<string, string>): void {
  for (const icon of drawing.querySelectorAll('.icon.replaced')) if (!pictures.has(icon.closest('[data-box]')?.getAttribute('data-box') ?? '')) back(icon);
  for (const [path, picture] of pictures) {
    const icon = boxes.get(path)?.querySelector(':scope > path.icon');
    if (!icon) continue;
    back(icon);
    const image = document.createElementNS(SVG, 'image');
    const [, x, y] = /translate\(([-\d.]+) ([-\d.]+)\)/.exec(icon.getAttribute('transform') ?? '') ?? [];
    const place = { href: pictureUrl(picture), x: Number(x) - 4, y: Number(y) - 1 - SIZE / 2, width: SIZE, height: SIZE };
    for (const [name, value] of Object.entries(place)) image.setAttribute(name, String(value));
    // What cannot be read as a picture is drawn as if there were none.
    image.addEventListener('error', () => back(icon));
    icon.classList.add('replaced');
    icon.after(image);
  }
}

function back(icon: Element): void {
  icon.classList.remove('replaced');
  const next = icon.nextElementSibling;
  if (next?.tagName === 'image') next.remove();
}
