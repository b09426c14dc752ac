import { LitElement, type PropertyDeclarations } from 'lit';
import type { Desk } from './state/page-state.ts';

/**
 * A component of the page. It draws into the document itself, not into a shadow root, so that labels and
 * descriptions reach their inputs by id and one style sheet serves all.
 */
export class PageElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}

/** A component that shows something of the desk, and draws itself again whenever the desk changes. */
export class DeskElement extends PageElement {
  static override properties: PropertyDeclarations = { desk: { attribute: false } };
  declare desk: Desk;
  readonly #changed = () => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    this.desk.addEventListener('change', this.#changed);
  }

  override disconnectedCallback(): void {
    this.desk.removeEventListener('change', this.#changed);
    super.disconnectedCallback();
  }
}
