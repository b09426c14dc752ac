import { html, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { type JsonObject, stringAt } from '../../lib/json.ts';
import { icon } from '../art/icons.ts';
import { numberAt, objectsAt, stringsAt } from '../json.ts';
import { changeState, type Field, stateOf } from './field.ts';

/** `file_input`. Uploads each file when it is chosen and keeps the answer in the state. */
export function drawFileInput(field: Field): TemplateResult {
  const files = objectsAt(stateOf(field), 'files');
  const max = numberAt(field.element, 'max_files') ?? 10;
  const accepted = stringsAt(field.element, 'filetypes').map((ending) => `.${ending}`);
  return html`<div class="files">
    ${files.map((file) => drawFile(field, file, files))}
    <input
      type="file"
      id=${field.inputId}
      ?multiple=${max > 1}
      accept=${ifDefined(accepted.length > 0 ? accepted.join(',') : undefined)}
      aria-label=${ifDefined(field.name)}
      aria-describedby=${ifDefined(field.describedBy || undefined)}
      aria-invalid=${field.invalid}
      ?hidden=${files.length >= max}
      @change=${(event: Event) => {
        if (event.target instanceof HTMLInputElement) {
          void upload(field, event.target, max);
        }
      }}
    />
  </div>`;
}

function drawFile(field: Field, file: JsonObject, files: JsonObject[]): TemplateResult {
  const name = stringAt(file, 'name') ?? 'file';
  return html`<span class="token"
    >${icon('file')} ${name}<button
      type="button"
      aria-label="Remove ${name}"
      @click=${() => void changeState(field, { type: 'file_input', files: files.filter((each) => each !== file) })}
    >
      ${icon('close')}
    </button></span
  >`;
}

async function upload(field: Field, input: HTMLInputElement, max: number): Promise<void> {
  const chosen = [...(input.files ?? [])];
  const uploaded = await Promise.all(chosen.map((file) => field.surface.uploadFile(file)));
  input.value = '';
  const files = [...objectsAt(stateOf(field), 'files'), ...uploaded].slice(0, max);
  await changeState(field, { type: 'file_input', files });
}
