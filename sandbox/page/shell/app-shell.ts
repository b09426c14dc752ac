import { html, nothing, type TemplateResult } from 'lit';
import { icon } from '../art/icons.ts';
import { type Panel, slackbotChannel } from '../state/page-location.ts';
import { StatefulElement } from '../state/page-state.ts';
import { timeOf } from '../text/draw.ts';
import './channel-view.ts';
import './modal-view.ts';
import './side-bar.ts';
import './side-panel/handset.ts';
import './side-panel/request-list.ts';
import './side-panel/sandbox-guide.ts';
import './slackbot-chat.ts';

/** The whole page: bar, sidebar, channel, drawer, and the modal above them. */
export class AppShell extends StatefulElement {
  /** Whether the sidebar is open in a narrow window. */
  #drawn = false;
  #minute: ReturnType<typeof setInterval> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#minute = setInterval(() => this.pageState.redraw(), 30_000);
  }

  override disconnectedCallback(): void {
    clearInterval(this.#minute);
    super.disconnectedCallback();
  }

  override render(): TemplateResult {
    const { pageState } = this;
    const panelOpen = pageState.location.panel !== 'closed';
    return html`<div
        class="shell ${this.#drawn ? 'side-bar-out' : ''}"
        @went=${() => this.#draw(false)}
        @keydown=${(event: KeyboardEvent) => event.key === 'Escape' && this.#draw(false)}
      >
        ${this.#renderBar(panelOpen)}
        <workspace-rail .pageState=${pageState}></workspace-rail>
        <side-bar .pageState=${pageState}></side-bar>
        <div class="curtain" @click=${() => this.#draw(false)}></div>
        ${
          pageState.location.channel === slackbotChannel
            ? html`<slackbot-chat .pageState=${pageState}></slackbot-chat>`
            : html`<channel-view .pageState=${pageState}></channel-view>`
        }
        ${panelOpen ? html`<side-panel .pageState=${pageState}></side-panel>` : nothing}
      </div>
      <modal-view .pageState=${pageState}></modal-view>`;
  }

  #renderBar(panelOpen: boolean): TemplateResult {
    const { pageState } = this;
    return html`<header class="row top-bar">
      <button
        type="button"
        class="tool only-narrow"
        aria-label="Channels"
        aria-expanded=${this.#drawn}
        @click=${() => this.#draw(!this.#drawn)}
      >
        ${icon('menu')}
      </button>
      <span class="grow">Sandbox<span class="only-wide">: nothing here leaves this machine</span></span>
      ${
        pageState.link === 'lost'
          ? html`<span class="lost" role="alert">Connection lost, trying again…</span>`
          : nothing
      }
      <span class="more" title="The sandbox's clock, in Lagos">
        ${icon('clock')} ${timeOf(pageState.now(), 'Africa/Lagos')} <span class="only-wide">WAT</span>
      </span>
      <button
        type="button"
        class="tool"
        aria-label="Guide and requests"
        aria-pressed=${panelOpen}
        @click=${() => pageState.go({ panel: panelOpen ? 'closed' : 'guide' })}
      >
        ${icon('inspect')}
      </button>
    </header>`;
  }

  #draw(out: boolean): void {
    this.#drawn = out;
    this.requestUpdate();
  }
}

customElements.define('app-shell', AppShell);

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
      <header class="row">
        <div class="row grow tabs" role="tablist" aria-label="Sandbox">
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
        return html`<request-list class="scrolls" .pageState=${pageState}></request-list>`;
      case 'phone':
        return html`<hand-set class="scrolls" .pageState=${pageState}></hand-set>`;
      default:
        return html`<sandbox-guide class="scrolls" .pageState=${pageState}></sandbox-guide>`;
    }
  }
}

customElements.define('side-panel', SidePanel);
