import { LitElement, type PropertyDeclarations } from 'lit';
import type { PageState } from './state/page-state.ts';

/**
 * A component of the page. It draws into the document itself, not into a shadow root, so that labels and
 * descriptions reach their inputs by id and one style sheet serves all.
 */
export class PageElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}

/** A component that shows something of the pageState, and draws itself again whenever the pageState changes. */
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
