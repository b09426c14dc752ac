import { html, nothing, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';

export interface MenuItem {
  label: TemplateResult | string;
  description?: string;
  /** Whether it is the one that is in effect now. */
  current?: boolean;
  choose(): void;
}

interface Menu {
  /** The id of the button, unique in the document. */
  id: string;
  /** The button's accessible name. */
  name: string;
  face: TemplateResult;
  buttonClass: string;
  items: MenuItem[];
}

/** Draws a button that opens a list of buttons. The browser opens and closes it, and moves the focus in and back. */
export function drawMenu({ id, name, face, buttonClass, items }: Menu): TemplateResult {
  const listId = `${id}-menu`;
  return html`<button type="button" class=${buttonClass} id=${id} aria-label=${name} popovertarget=${listId}>
      ${face}
    </button>
    <div popover id=${listId} role="group" aria-label=${name}>
      ${items.map(
        (item, at) => html`<button
          type="button"
          popovertarget=${listId}
          popovertargetaction="hide"
          ?autofocus=${at === 0}
          aria-current=${ifDefined(item.current ? 'true' : undefined)}
          @click=${() => item.choose()}
        >
          ${item.label} ${item.description ? html`<span class="more">${item.description}</span>` : nothing}
        </button>`,
      )}
    </div>`;
}
