import { html, type TemplateResult } from 'lit';
import { icon } from '../art/icons.ts';
import { StatefulElement } from '../page-element.ts';

/** How many stand there at once; older ones come back as these are put away. */
const most = 3;

/** What Slack itself tells the person, such as a command that failed. */
export class NoticeList extends StatefulElement {
  override render(): TemplateResult {
    const { pageState } = this;
    return html`<div class="notices" role="status" aria-live="polite">
      ${pageState.notices.slice(-most).map(
        ({ id, text }) =>
          html`<p class="notice">
            ${icon('alert')}<span>${text}</span>
            <button type="button" class="tool" aria-label="Dismiss" @click=${() => pageState.dismiss(id)}>
              ${icon('close')}
            </button>
          </p>`,
      )}
    </div>`;
  }
}

customElements.define('notice-list', NoticeList);
