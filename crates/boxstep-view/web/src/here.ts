/** The address of another page of the same computer, by whatever address one has come to this one. */
export function here(url: string): string {
  const page = new URL(url);
  page.hostname = location.hostname;
  return page.href;
}
