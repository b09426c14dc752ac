/** The distance from the edges of the window, in pixels. */
const margin = 8;

/**
 * Shows a `popover` beside its anchor: below when there is room, else above, and within the window. The top layer keeps
 * it from being clipped by a scrolling modal.
 */
export function openBeside(popup: HTMLElement, anchor: HTMLElement, align: 'start' | 'end' = 'start'): void {
  if (!popup.matches(':popover-open')) {
    popup.showPopover();
  }
  const around = anchor.getBoundingClientRect();
  popup.style.minWidth = `${Math.min(around.width, window.innerWidth - 2 * margin)}px`;
  popup.style.maxHeight = '';
  const { width, height } = popup.getBoundingClientRect();
  const below = window.innerHeight - around.bottom - margin;
  const above = around.top - margin;
  const goesUp = height > below && above > below;
  popup.style.maxHeight = `${Math.max(goesUp ? above : below, 120) - 4}px`;
  const shown = Math.min(height, goesUp ? above : below);
  const left = align === 'start' ? around.left : around.right - width;
  popup.style.top = `${goesUp ? around.top - shown - 4 : around.bottom + 4}px`;
  popup.style.left = `${Math.max(margin, Math.min(left, window.innerWidth - width - margin))}px`;
}

export function closePopup(popup: HTMLElement | null): void {
  if (popup?.matches(':popover-open')) {
    popup.hidePopover();
  }
}
