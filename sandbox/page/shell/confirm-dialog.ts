import { html, type PropertyDeclarations, type TemplateResult } from 'lit';
import { type JsonObject, stringAt } from '../../lib/json.ts';
import { objectAt } from '../json.ts';
import { PageElement } from '../page-element.ts';
import type { Directory } from '../state/directory.ts';
import { drawText } from '../text/draw.ts';

/** Shows a `confirm` object. Resolves with the person's answer; Esc answers no. */
export function askConfirm(confirm: JsonObject, directory: Directory): Promise<boolean> {
  const dialog = new ConfirmDialog();
  dialog.confirm = confirm;
  dialog.directory = directory;
  document.body.append(dialog);
  return dialog.answer.finally(() => dialog.remove());
}

class ConfirmDialog extends PageElement {
  static override properties: PropertyDeclarations = {
    confirm: { attribute: false },
    directory: { attribute: false },
  };
  declare confirm: JsonObject;
  declare directory: Directory;
  readonly #answer = Promise.withResolvers<boolean>();

  get answer(): Promise<boolean> {
    return this.#answer.promise;
  }

  override render(): TemplateResult {
    const style = stringAt(this.confirm, 'style') === 'danger' ? 'danger' : 'primary';
    const draw = (key: string) => drawText(objectAt(this.confirm, key), this.directory);
    return html`<dialog
      class="confirm"
      role="alertdialog"
      aria-labelledby="confirm-title"
      aria-describedby="confirm-text"
      @close=${() => this.#answer.resolve(false)}
    >
      <h2 id="confirm-title">${draw('title')}</h2>
      <div class="confirm-text rich" id="confirm-text">${draw('text')}</div>
      <footer>
        <button type="button" class="button" @click=${() => this.#answer.resolve(false)}>${draw('deny')}</button>
        <button type="button" class="button ${style}" @click=${() => this.#answer.resolve(true)}>
          ${draw('confirm')}
        </button>
      </footer>
    </dialog>`;
  }

  override firstUpdated(): void {
    this.querySelector('dialog')?.showModal();
  }
}

customElements.define('confirm-dialog', ConfirmDialog);
