import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { live } from 'lit/directives/live.js';
import { icon } from '../art/icons.ts';
import { PageElement } from '../page-element.ts';
import { closePopup, openBeside } from './popup.ts';
import { type ChoiceGroup, drawClear, drawGroups, type MenuChoice } from './select-list.ts';

/** A remote search waits this long for the next letter. */
const searchPauseMs = 200;

/**
 * A select with a search: an ARIA combobox with a list box. `search` returns the matches of the typed text and throws
 * with a message for the person; `choose` is called on every change, with undefined when the choice is cleared.
 */
export class ChoiceSelect extends PageElement {
  static override properties: PropertyDeclarations = {
    inputId: { attribute: false },
    name: { attribute: false },
    describedBy: { attribute: false },
    invalid: { attribute: false },
    required: { attribute: false },
    placeholder: { attribute: false },
    clearable: { attribute: false },
    focusFirst: { attribute: false },
    chosen: { attribute: false },
    minQuery: { attribute: false },
    remote: { attribute: false },
    search: { attribute: false },
    choose: { attribute: false },
    query: { state: true },
    groups: { state: true },
    active: { state: true },
    open: { state: true },
    status: { state: true },
  };
  declare inputId: string;
  declare name: string | undefined;
  declare describedBy: string;
  declare invalid: boolean;
  declare required: boolean;
  declare placeholder: string;
  declare clearable: boolean;
  declare focusFirst: boolean;
  declare chosen: MenuChoice | undefined;
  declare minQuery: number;
  /** Whether a search is a request, which waits for a pause in the typing. */
  declare remote: boolean;
  declare search: (query: string) => Promise<ChoiceGroup[]>;
  declare choose: (choice: MenuChoice | undefined) => void;
  /** The typed text; undefined until something is typed after the list opens. */
  declare private query: string | undefined;
  declare private groups: ChoiceGroup[];
  declare private active: number;
  declare private open: boolean;
  declare private status: string;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;

  constructor() {
    super();
    this.query = undefined;
    this.groups = [];
    this.active = 0;
    this.open = false;
    this.status = '';
  }

  override disconnectedCallback(): void {
    clearTimeout(this.#timer);
    super.disconnectedCallback();
  }

  override render(): TemplateResult {
    const { chosen } = this;
    const listId = `${this.inputId}-list`;
    const choices = this.#choices();
    const shown = this.query ?? chosen?.label ?? '';
    return html`<div class="choice" ?data-invalid=${this.invalid} @click=${this.#show}>
        <input
          class="choice-input"
          id=${this.inputId}
          role="combobox"
          autocomplete="off"
          aria-autocomplete="list"
          aria-expanded=${this.open}
          aria-controls=${listId}
          aria-activedescendant=${ifDefined(this.open && choices.length > 0 ? `${listId}-${this.active}` : undefined)}
          aria-label=${ifDefined(this.name)}
          aria-describedby=${ifDefined(this.describedBy || undefined)}
          aria-invalid=${this.invalid}
          aria-required=${this.required}
          placeholder=${this.placeholder}
          ?data-focus-first=${this.focusFirst}
          .value=${live(shown)}
          @input=${this.#type}
          @keydown=${this.#key}
          @focus=${(event: FocusEvent) => event.target instanceof HTMLInputElement && event.target.select()}
          @blur=${this.#close}
        />
        ${this.clearable && chosen && !this.open ? drawClear(chosen, () => this.choose(undefined)) : nothing}
        <span class="choice-arrow">${icon('down')}</span>
      </div>
      <div class="popup choice-popup" popover="manual" @mousedown=${(event: Event) => event.preventDefault()}>
        <div role="listbox" id=${listId} aria-label=${this.name ?? 'Options'}>
          ${drawGroups(this.groups, {
            listId,
            active: this.active,
            chosen,
            point: (at) => {
              this.active = at;
            },
            pick: (choice) => this.#pick(choice),
          })}
        </div>
        ${this.status ? html`<p class="choice-status" role="status">${this.status}</p>` : nothing}
      </div>`;
  }

  override updated(changed: PropertyValues): void {
    const popup = this.querySelector<HTMLElement>('.choice-popup');
    const anchor = this.querySelector<HTMLElement>('.choice');
    if (!popup || !anchor) {
      return;
    }
    if (this.open && this.isConnected) {
      openBeside(popup, anchor);
    } else {
      closePopup(popup);
    }
    if (changed.has('active') && this.open) {
      popup.querySelector('.active')?.scrollIntoView({ block: 'nearest' });
    }
  }

  #choices(): MenuChoice[] {
    return this.groups.flatMap((group) => group.choices);
  }

  readonly #show = (): void => {
    this.#input()?.focus();
    if (this.open) {
      return;
    }
    this.open = true;
    this.query = undefined;
    this.active = 0;
    // Those of the last time must not change under the pointer when the present ones arrive.
    this.groups = [];
    void this.#search('');
  };

  readonly #close = (): void => {
    clearTimeout(this.#timer);
    this.#asked += 1;
    this.open = false;
    this.query = undefined;
  };

  readonly #type = (event: Event): void => {
    if (!(event.target instanceof HTMLInputElement)) {
      return;
    }
    const query = event.target.value;
    this.query = query;
    this.open = true;
    this.active = 0;
    clearTimeout(this.#timer);
    if (!this.remote) {
      return void this.#search(query);
    }
    // Results of an earlier query must not stay selectable.
    this.#asked += 1;
    this.groups = [];
    this.status = 'Searching…';
    this.#timer = setTimeout(() => void this.#search(query), searchPauseMs);
  };

  async #search(query: string): Promise<void> {
    const asked = ++this.#asked;
    if (query.length < this.minQuery) {
      this.groups = [];
      this.status = `Type at least ${this.minQuery} ${this.minQuery === 1 ? 'character' : 'characters'} to search`;
      return;
    }
    if (this.remote) {
      this.status = 'Searching…';
    }
    try {
      const groups = await this.search(query);
      if (asked !== this.#asked) {
        return;
      }
      this.groups = groups;
      this.status = this.#choices().length === 0 ? 'No results' : '';
      this.active = Math.max(
        0,
        this.#choices().findIndex(({ value }) => query === '' && value === this.chosen?.value),
      );
    } catch (error) {
      if (asked !== this.#asked) {
        return;
      }
      this.groups = [];
      this.status = error instanceof Error ? error.message : String(error);
    }
  }

  readonly #key = (event: KeyboardEvent): void => {
    if (event.isComposing) {
      return;
    }
    const choices = this.#choices();
    const act: Record<string, () => void> = {
      ArrowDown: () => this.#move(1),
      ArrowUp: () => this.#move(-1),
      Home: () => this.#move(-this.active),
      End: () => this.#move(choices.length - 1 - this.active),
      Enter: () => {
        const choice = choices[this.active];
        if (choice) {
          this.#pick(choice);
        }
      },
      Escape: this.#close,
    };
    const needsList = event.key !== 'ArrowDown' && event.key !== 'ArrowUp';
    const action = act[event.key];
    if (!action || (needsList && !this.open)) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    if (this.open) {
      action();
    } else {
      this.#show();
    }
  };

  #move(by: number): void {
    const count = this.#choices().length;
    if (count > 0) {
      this.active = (this.active + by + count) % count;
    }
  }

  #pick(choice: MenuChoice): void {
    this.#close();
    if (this.chosen?.value !== choice.value) {
      this.choose(choice);
    }
  }

  #input(): HTMLInputElement | null {
    return this.querySelector('.choice-input');
  }
}

customElements.define('choice-select', ChoiceSelect);
