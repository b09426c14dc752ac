import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { StatefulElement } from '../page-element.ts';
import { timeOf } from '../text/dates.ts';
import './channel-view.ts';
import { icon } from '../art/icons.ts';
import './modal-view.ts';
import './side-bar.ts';
import './side-panel/side-panel.ts';
import './workspace-rail.ts';

/** The whole page: bar, sidebar, channel, drawer, and the modal above them. */
export class AppShell extends StatefulElement {
  static override properties: PropertyDeclarations = {
    ...StatefulElement.properties,
    drawn: { state: true },
  };
  /** Whether the sidebar is open in a narrow window. */
  declare private drawn: boolean;
  #minute: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super();
    this.drawn = false;
  }

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
        class="shell ${this.drawn ? 'side-bar-out' : ''} ${panelOpen ? 'panel-open' : ''}"
        @went=${() => this.#draw(false)}
        @keydown=${(event: KeyboardEvent) => event.key === 'Escape' && this.#draw(false)}
      >
        ${this.#renderBar(panelOpen)}
        <workspace-rail .pageState=${pageState}></workspace-rail>
        <side-bar .pageState=${pageState}></side-bar>
        <div class="curtain" @click=${() => this.#draw(false)}></div>
        <channel-view .pageState=${pageState}></channel-view>
        ${panelOpen ? html`<side-panel .pageState=${pageState}></side-panel>` : nothing}
      </div>
      <modal-view .pageState=${pageState}></modal-view>`;
  }

  #renderBar(panelOpen: boolean): TemplateResult {
    const { pageState } = this;
    return html`<header class="top-bar">
      <button
        type="button"
        class="tool only-narrow"
        aria-label="Channels"
        aria-expanded=${this.drawn}
        @click=${() => this.#draw(!this.drawn)}
      >
        ${icon('menu')}
      </button>
      <span class="top-bar-title">Sandbox<span class="only-wide">: nothing here leaves this machine</span></span>
      ${
        pageState.link === 'lost'
          ? html`<span class="lost" role="alert">Connection lost, trying again…</span>`
          : nothing
      }
      <span class="top-bar-clock" title="The sandbox's clock, in Lagos">
        ${icon('clock')}${timeOf(pageState.now(), 'Africa/Lagos')} <span class="only-wide">WAT</span>
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
    this.drawn = out;
  }
}

customElements.define('app-shell', AppShell);
