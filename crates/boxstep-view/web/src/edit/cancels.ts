// Fields that can be left without a change.

/** Within an element, Escape gives a field back what it had when the keyboard came to it: a field that is left gives what it has. */
export function cancels(around: HTMLElement): { destroy: () => void } {
  let was = '';
  const over = new AbortController();
  const { signal } = over;
  const field = ({ target }: Event) => (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement ? target : undefined);
  const begin = (event: Event) => (was = field(event)?.value ?? '');
  const key = (event: KeyboardEvent) => {
    const of = field(event);
    if (event.key !== 'Escape' || event.isComposing || !of || of.value === was) return;
    of.value = was;
    event.stopPropagation();
  };
  around.addEventListener('focusin', begin, { signal });
  around.addEventListener('change', begin, { signal });
  around.addEventListener('keydown', key, { signal });
  return { destroy: () => over.abort() };
}
