import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { objectAt, objectsAt, textAt } from '../../lib/json.ts';
import type { OpenView } from '../../slack/protocol.ts';
import { icon } from '../art/icons.ts';
import { drawBlocks } from '../blocks/blocks.ts';
import type { Directory } from '../state/directory.ts';
import { StatefulElement } from '../state/page-state.ts';
import { viewSurface } from '../state/surfaces.ts';
import { drawText } from '../text/draw.ts';
import './channel-view.ts';

/** The top of the person's modal stack, as a dialog that keeps the focus. */
export class ModalView extends StatefulElement {
  /** The id of the view that awaits the app's answer. */
  #submitting: string | undefined;
  #shownView: string | undefined;
  #focusError = false;

  override render(): TemplateResult | typeof nothing {
    const { snapshot, directory } = this.pageState;
    const view = snapshot?.modals.at(-1);
    if (!snapshot || !directory || !view) {
      return nothing;
    }
    const submit = textAt(view.view, 'submit');
    return html`<dialog
      class="modal"
      aria-labelledby="modal-title"
      aria-busy=${this.#submitting === view.id}
      @cancel=${(event: Event) => {
        if (event.target !== event.currentTarget) {
          return;
        }
        event.preventDefault();
        void this.#close(view, false);
      }}
    >
      ${keyed(
        view.id,
        html`<form
        novalidate
        @submit=${(event: Event) => {
          event.preventDefault();
          if (submit) {
            void this.#submit(view);
          }
        }}
      >
        ${this.#renderHeader(view, directory, snapshot.modals.length > 1)}
        <notice-list .pageState=${this.pageState}></notice-list>
        <div class="scrolls modal-body" tabindex="-1">
          ${
            view.trouble
              ? html`<p class="row card error" role="alert">${icon('alert')}<span>${view.trouble}</span></p>`
              : nothing
          }
          ${drawBlocks(objectsAt(view.view, 'blocks'), viewSurface(this.pageState, directory, view))}
        </div>
        ${this.#renderFooter(view, submit)}
      </form>`,
      )}
    </dialog>`;
  }

  #renderHeader(view: OpenView, directory: Directory, hasBelow: boolean): TemplateResult {
    return html`<header class="row">
      ${
        hasBelow
          ? html`<button type="button" class="tool" aria-label="Back" @click=${() => this.#close(view, false)}>
            ${icon('back')}
          </button>`
          : nothing
      }
      <h2 class="grow" id="modal-title">${drawText(objectAt(view.view, 'title'), directory)}</h2>
      <button type="button" class="tool" aria-label="Close this window" @click=${() => this.#close(view, true)}>
        ${icon('close')}
      </button>
    </header>`;
  }

  #renderFooter(view: OpenView, submit: string): TemplateResult {
    const waits = this.#submitting === view.id;
    return html`<footer class="row">
      <button type="button" class="button" @click=${() => this.#close(view, false)}>
        ${textAt(view.view, 'close') || 'Cancel'}
      </button>
      ${
        submit
          ? html`<button type="submit" class="button primary" aria-disabled=${waits} aria-busy=${waits}>${submit}</button>`
          : nothing
      }
    </footer>`;
  }

  async #submit(view: OpenView): Promise<void> {
    if (this.#submitting === view.id) {
      return;
    }
    this.#submitting = view.id;
    this.requestUpdate();
    await this.pageState.drafts.flush(view.id);
    await this.pageState.perform({ do: 'submit', person: this.pageState.location.person, viewId: view.id });
    this.#submitting = undefined;
    this.requestUpdate();
    this.#focusError = true;
  }

  async #close(view: OpenView, all: boolean): Promise<void> {
    await this.pageState.drafts.flush(view.id);
    await this.pageState.perform({
      do: 'close',
      person: this.pageState.location.person,
      viewId: view.id,
      all,
    });
  }

  protected override updated(_changed: PropertyValues): void {
    const view = this.pageState.snapshot?.modals.at(-1);
    const dialog = this.querySelector('dialog');
    if (dialog && !dialog.open) {
      dialog.showModal();
    }
    if (view && dialog && (view.id !== this.#shownView || !dialog.contains(document.activeElement))) {
      focusFirst(dialog);
    }
    if (!view && this.#shownView) {
      document.querySelector<HTMLElement>('.composer textarea')?.focus();
    }
    this.#shownView = view?.id;
    if (this.#focusError) {
      this.#focusError = false;
      this.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
    }
  }
}

/** Focuses the control with `focus_on_load`, else the first one, else the submit or close button. */
async function focusFirst(dialog: HTMLDialogElement): Promise<void> {
  // A select that is searched draws its field after the modal.
  await Promise.resolve();
  const controls = '.modal-body :is(input, textarea, select)';
  const first =
    dialog.querySelector<HTMLElement>(`${controls}[autofocus]`) ??
    dialog.querySelector<HTMLElement>(controls) ??
    dialog.querySelector<HTMLElement>('footer button:last-child');
  first?.focus();
}

customElements.define('modal-view', ModalView);
