import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { PageElement } from '../page-element.ts';
import { closePopup, openBeside } from './popup.ts';

export interface MenuItem {
  label: TemplateResult | string;
  description?: TemplateResult | string;
  /** Makes the item a radio item, checked or not. */
  checked?: boolean;
  choose(): void;
}

/** A button that opens a menu: an ARIA menu button with arrow keys. */
export class ActionMenu extends PageElement {
  static override properties: PropertyDeclarations = {
    name: { attribute: false },
    face: { attribute: false },
    items: { attribute: false },
    buttonClass: { attribute: false },
    buttonId: { attribute: false },
    align: { attribute: false },
    open: { state: true },
  };
  /** The button's accessible name. */
  declare name: string;
  declare face: TemplateResult;
  declare items: MenuItem[];
  declare buttonClass: string;
  declare buttonId: string | undefined;
  declare align: 'start' | 'end';
  declare private open: boolean;

  constructor() {
    super();
    this.open = false;
    this.align = 'end';
  }

  override render(): TemplateResult {
    return html`<button
        type="button"
        class=${this.buttonClass}
        id=${ifDefined(this.buttonId)}
        aria-label=${this.name}
        aria-haspopup="menu"
        aria-expanded=${this.open}
        @click=${() => (this.open ? this.#close() : this.#show())}
        @keydown=${(event: KeyboardEvent) => {
          if (event.key === 'ArrowDown') {
            this.#handle(event, () => this.#show());
          }
        }}
      >
        ${this.face}
      </button>
      <div
        class="popup menu"
        popover="auto"
        role="menu"
        aria-label=${this.name}
        @keydown=${this.#key}
        @toggle=${(event: ToggleEvent) => {
          this.open = event.newState === 'open';
        }}
      >
        ${this.items.map((item) => this.#renderItem(item))}
      </div>`;
  }

  #renderItem(item: MenuItem): TemplateResult {
    return html`<button
      type="button"
      tabindex="-1"
      role=${item.checked === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked=${ifDefined(item.checked)}
      @click=${() => {
        this.#close();
        item.choose();
      }}
    >
      <span>${item.label}</span>
      ${item.description ? html`<span class="more">${item.description}</span>` : nothing}
    </button>`;
  }

  #show(): void {
    const popup = this.#popup();
    const button = this.querySelector('button');
    if (!popup || !button) {
      return;
    }
    openBeside(popup, button, this.align);
    (popup.querySelector<HTMLElement>('[aria-checked=true]') ?? this.#buttons()[0])?.focus();
  }

  #close(): void {
    closePopup(this.#popup());
    this.querySelector('button')?.focus();
  }

  readonly #key = (event: KeyboardEvent): void => {
    const buttons = this.#buttons();
    const at = buttons.findIndex((button) => button.matches(':focus'));
    const focus = (to: number) => buttons.at(to % buttons.length)?.focus();
    if (event.key === 'ArrowDown') {
      this.#handle(event, () => focus(at + 1));
    } else if (event.key === 'ArrowUp') {
      this.#handle(event, () => focus(at - 1));
    } else if (event.key === 'Home') {
      this.#handle(event, () => focus(0));
    } else if (event.key === 'End') {
      this.#handle(event, () => focus(-1));
    } else if (event.key === 'Escape') {
      this.#handle(event, () => this.#close());
    } else if (event.key === 'Tab') {
      this.#close();
    }
  };

  #handle(event: KeyboardEvent, action: () => void): void {
    event.preventDefault();
    event.stopPropagation();
    action();
  }

  #popup(): HTMLElement | null {
    return this.querySelector('.menu');
  }

  #buttons(): HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>('.menu > button')];
  }
}

customElements.define('action-menu', ActionMenu);
