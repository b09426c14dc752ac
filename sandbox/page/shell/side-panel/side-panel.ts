import { html, type TemplateResult } from 'lit';
import { icon } from '../../art/icons.ts';
import { DeskElement } from '../../page-element.ts';
import './request-list.ts';
import './sandbox-guide.ts';

/** The drawer at the right: the guide to the sandbox, or the inspector of its requests. */
export class SidePanel extends DeskElement {
  override render(): TemplateResult {
    const { desk } = this;
    const { panel } = desk.place;
    const tab = (name: 'guide' | 'requests', words: string) =>
      html`<button type="button" role="tab" aria-selected=${panel === name} @click=${() => desk.go({ panel: name })}>
        ${words}
      </button>`;
    return html`<aside class="side-panel" aria-label="Sandbox">
      <header>
        <div class="tabs" role="tablist" aria-label="Sandbox">${tab('guide', 'Guide')} ${tab('requests', 'Requests')}</div>
        <button
          type="button"
          class="tool"
          aria-label="Close the sandbox's drawer"
          @click=${() => desk.go({ panel: 'closed' })}
        >
          ${icon('close')}
        </button>
      </header>
      ${
        panel === 'requests'
          ? html`<request-list .desk=${desk}></request-list>`
          : html`<sandbox-guide .desk=${desk}></sandbox-guide>`
      }
    </aside>`;
  }
}

customElements.define('side-panel', SidePanel);
