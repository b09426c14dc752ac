import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { type JsonObject, numberAt, textAt } from '../../lib/json.ts';
import { icon } from '../art/icons.ts';
import { PageElement } from '../state/page-state.ts';
import { type Control, control } from './field.ts';

export interface Choice {
  value: string;
  label: string;
  description?: string | undefined;
  /** The app's option object, for selects that have options. */
  option?: JsonObject;
}

export interface ChoiceGroup {
  label?: string | undefined;
  choices: Choice[];
}

/** A search waits this long for the next letter. */
const searchPauseMs = 200;

/**
 * A select whose options are found by typing: a search field above a list. The arrow keys go from one to the other. `search`
 * returns the options for the typed text and throws with a message for the person. `choose` is called with undefined when an
 * optional choice is cleared.
 */
export class SearchSelect extends PageElement {
  static override properties: PropertyDeclarations = {
    control: { attribute: false },
    chosen: { attribute: false },
    clearable: { attribute: false },
    search: { attribute: false },
    choose: { attribute: false },
  };
  declare control: Control;
  declare chosen: Choice | undefined;
  declare clearable: boolean;
  declare search: (query: string) => Promise<ChoiceGroup[]>;
  declare choose: (choice: Choice | undefined) => void;
  /** The typed text. Undefined until something is typed after the list opens. */
  #query: string | undefined;
  #groups: ChoiceGroup[] = [];
  #open = false;
  #status = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;

  override disconnectedCallback(): void {
    clearTimeout(this.#timer);
    super.disconnectedCallback();
  }

  override render(): TemplateResult {
    const listId = `${this.control.inputId}-list`;
    return html`<div class="marked" @keydown=${this.#key} @focusout=${this.#leave}>
      <input
        type="text"
        role="combobox"
        autocomplete="off"
        aria-autocomplete="list"
        aria-expanded=${this.#open}
        aria-controls=${listId}
        placeholder=${textAt(this.control.element, 'placeholder') || 'Choose one'}
        .value=${live(this.#query ?? this.chosen?.label ?? '')}
        ${control(this.control)}
        @click=${this.#show}
        @input=${this.#type}
        @focus=${() => this.#input?.select()}
      /><span class="more mark">${icon('down')}</span>
      <div
        popover
        id=${listId}
        @mousedown=${(event: Event) => event.preventDefault()}
        @toggle=${(event: ToggleEvent) => {
          this.#open = event.newState === 'open';
          this.#query = undefined;
          this.requestUpdate();
        }}
      >
        <div role="listbox" aria-label=${this.control.name ?? 'Options'}>
          ${this.#groups.map((group) => this.#renderGroup(group))}
        </div>
        ${this.#status ? html`<p class="more" role="status">${this.#status}</p>` : nothing}
      </div>
    </div>`;
  }

  #renderGroup({ label, choices }: ChoiceGroup): TemplateResult {
    return html`<div role="group" aria-label=${label ?? nothing}>
      ${label === undefined ? nothing : html`<p class="more">${label}</p>`}
      ${choices.map(
        (choice) => html`<button
          type="button"
          role="option"
          tabindex="-1"
          aria-selected=${choice.value === this.chosen?.value}
          @click=${() => this.#pick(choice)}
        >
          ${choice.label} ${choice.description ? html`<span class="more">${choice.description}</span>` : nothing}
        </button>`,
      )}
    </div>`;
  }

  get #input(): HTMLInputElement | null {
    return this.querySelector('input');
  }

  get #popup(): HTMLElement | null {
    return this.querySelector('[popover]');
  }

  readonly #show = (): void => {
    if (this.#open) {
      return;
    }
    // Options of the last time must not change under the pointer when the present ones arrive.
    this.#groups = [];
    this.#popup?.showPopover({ source: this.#input ?? this });
    void this.#find('');
  };

  readonly #leave = ({ relatedTarget }: FocusEvent): void => {
    if (!(relatedTarget instanceof Node && this.contains(relatedTarget))) {
      this.#popup?.hidePopover();
    }
  };

  readonly #type = (): void => {
    const query = this.#input?.value ?? '';
    this.#show();
    if (query === '' && this.clearable && this.chosen) {
      this.choose(undefined);
    }
    this.#query = query;
    // Options of an earlier query must not stay selectable.
    this.#asked += 1;
    this.#groups = [];
    this.#report('Searching…');
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#find(query), searchPauseMs);
  };

  async #find(query: string): Promise<void> {
    const asked = ++this.#asked;
    const least = numberAt(this.control.element, 'min_query_length') ?? 3;
    if (query.length < least) {
      return this.#report(`Type at least ${least} ${least === 1 ? 'character' : 'characters'} to search`);
    }
    this.#report('Searching…');
    const found = await this.search(query).catch((error: unknown) =>
      error instanceof Error ? error.message : String(error),
    );
    if (asked === this.#asked) {
      this.#groups = typeof found === 'string' ? [] : found;
      const isEmpty = this.#groups.every(({ choices }) => choices.length === 0);
      this.#report(typeof found === 'string' ? found : isEmpty ? 'No results' : '');
    }
  }

  #report(status: string): void {
    this.#status = status;
    this.requestUpdate();
  }

  readonly #key = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const options = [...this.querySelectorAll<HTMLElement>('[role=option]')];
    const at = options.findIndex((option) => option.matches(':focus'));
    if (step !== undefined) {
      event.preventDefault();
      this.#show();
      const next = at + step;
      (next < 0 ? this.#input : (options[next] ?? options[0]))?.focus();
    } else if (event.key === 'Enter' && at === -1 && this.#open && !event.isComposing) {
      event.preventDefault();
      options[0]?.click();
    }
  };

  #pick(choice: Choice): void {
    this.#popup?.hidePopover();
    if (this.chosen?.value !== choice.value) {
      this.choose(choice);
    }
  }
}

customElements.define('search-select', SearchSelect);
