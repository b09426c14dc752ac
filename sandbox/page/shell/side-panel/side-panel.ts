import { html, type TemplateResult } from 'lit';
import { icon } from '../../art/icons.ts';
import { StatefulElement } from '../../page-element.ts';
import './request-list.ts';
import './sandbox-guide.ts';

/** The drawer at the right: the guide to the sandbox, or the request log. */
export class SidePanel extends StatefulElement {
  override render(): TemplateResult {
    const { pageState } = this;
    const { panel } = pageState.location;
    const tab = (name: 'guide' | 'requests', label: string) =>
      html`<button type="button" role="tab" aria-selected=${panel === name} @click=${() => pageState.go({ panel: name })}>
        ${label}
      </button>`;
    return html`<aside class="side-panel" aria-label="Sandbox">
      <header>
        <div class="tabs" role="tablist" aria-label="Sandbox">${tab('guide', 'Guide')} ${tab('requests', 'Requests')}</div>
        <button
          type="button"
          class="tool"
          aria-label="Close the sandbox's drawer"
          @click=${() => pageState.go({ panel: 'closed' })}
        >
          ${icon('close')}
        </button>
      </header>
      ${
        panel === 'requests'
          ? html`<request-list .pageState=${pageState}></request-list>`
          : html`<sandbox-guide .pageState=${pageState}></sandbox-guide>`
      }
    </aside>`;
  }
}

customElements.define('side-panel', SidePanel);
