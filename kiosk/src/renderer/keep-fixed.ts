const ZOOM_KEYS = new Set(['+', '-', '=', '0']);

/** Keeps the browser's own parts out of the kiosk: zoom, context menu, dragging and find bar. */
export function keepFixed(document: Document): void {
  const stop = (event: Event) => event.preventDefault();
  document.addEventListener('contextmenu', stop);
  document.addEventListener('dragstart', stop);
  document.addEventListener('selectstart', stop);
  document.addEventListener('wheel', (event) => event.ctrlKey && event.preventDefault(), { passive: false });
  // A second finger on the glass.
  document.addEventListener('touchmove', (event) => event.touches.length > 1 && event.preventDefault(), {
    passive: false,
  });
  document.addEventListener('keydown', (event) => {
    const held = event.ctrlKey || event.metaKey;
    if (held && (ZOOM_KEYS.has(event.key) || 'fgpsuo'.includes(event.key.toLowerCase()))) stop(event);
    if (['F1', 'F3', 'F5', 'F7', 'F11', 'F12'].includes(event.key)) stop(event);
  });
}
