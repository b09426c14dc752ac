import { html, type TemplateResult } from 'lit';
import { icon } from '../../art/icons.ts';
import { StatefulElement } from '../../page-element.ts';
import type { Panel } from '../../state/page-location.ts';
import './handset.ts';
import './request-list.ts';
import './sandbox-guide.ts';

/** The drawer at the right: the guide to the sandbox, the phones that messages arrive on, or the request log. */
export class SidePanel extends StatefulElement {
  override render(): TemplateResult {
    const { pageState } = this;
    const { panel } = pageState.location;
    const tab = (name: Panel, label: string) =>
      html`<button type="button" role="tab" aria-selected=${panel === name} @click=${() => pageState.go({ panel: name })}>
        ${label}
      </button>`;
    return html`<aside class="side-panel" aria-label="Sandbox">
      <header>
        <div class="tabs" role="tablist" aria-label="Sandbox">
          ${tab('guide', 'Guide')} ${tab('phone', 'Phone')} ${tab('requests', 'Requests')}
        </div>
        <button
          type="button"
          class="tool"
          aria-label="Close the sandbox's drawer"
          @click=${() => pageState.go({ panel: 'closed' })}
        >
          ${icon('close')}
        </button>
      </header>
      ${this.#renderPanel()}
    </aside>`;
  }

  #renderPanel(): TemplateResult {
    const { pageState } = this;
    switch (pageState.location.panel) {
      case 'requests':
        return html`<request-list .pageState=${pageState}></request-list>`;
      case 'phone':
        return html`<hand-set .pageState=${pageState}></hand-set>`;
      default:
        return html`<sandbox-guide .pageState=${pageState}></sandbox-guide>`;
    }
  }
}

customElements.define('side-panel', SidePanel);
