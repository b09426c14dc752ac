import { LitElement, type PropertyDeclarations } from 'lit';
import type { PageState } from './state/page-state.ts';

/**
 * A component of the page. Renders into the document instead of a shadow root, so that labels and descriptions can
 * refer to inputs by id and all components share one style sheet.
 */
export class PageElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}

/** A component that shows the page state and renders again on each change of it. */
export class StatefulElement extends PageElement {
  static override properties: PropertyDeclarations = { pageState: { attribute: false } };
  declare pageState: PageState;
  readonly #changed = () => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    this.pageState.addEventListener('change', this.#changed);
  }

  override disconnectedCallback(): void {
    this.pageState.removeEventListener('change', this.#changed);
    super.disconnectedCallback();
  }
}
