import { html, type TemplateResult } from 'lit';
import { icon } from '../art/icons.ts';
import { StatefulElement } from '../page-element.ts';

/** Older notices appear when these are dismissed. */
const maxNotices = 3;

/** Slack's notices to the person, such as a failed command. */
export class NoticeList extends StatefulElement {
  override render(): TemplateResult {
    const { pageState } = this;
    return html`<div role="status" aria-live="polite">
      ${pageState.notices.slice(-maxNotices).map(
        ({ id, text }) =>
          html`<p class="row card notice">
            ${icon('alert')}<span class="grow">${text}</span>
            <button type="button" class="tool" aria-label="Dismiss" @click=${() => pageState.dismiss(id)}>
              ${icon('close')}
            </button>
          </p>`,
      )}
    </div>`;
  }
}

customElements.define('notice-list', NoticeList);
