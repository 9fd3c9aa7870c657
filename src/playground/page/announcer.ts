/** Tells those who do not see the page what has happened, one thing at a time. */
export function createAnnouncer() {
  const region = document.createElement('div');
  region.className = 'hidden';
  region.setAttribute('role', 'status');
  region.setAttribute('aria-live', 'polite');
  document.documentElement.append(region);

  return {
    say(text: string): void {
      region.textContent = '';
      // An unchanged text would not be read again.
      requestAnimationFrame(() => {
        region.textContent = text.slice(0, 200);
      });
    },
  };
}
