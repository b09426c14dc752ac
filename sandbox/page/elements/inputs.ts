import { html, nothing, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { live } from 'lit/directives/live.js';
import {
  flagAt,
  type JsonObject,
  numberAt,
  objectAt,
  objectsAt,
  stringAt,
  stringsAt,
  textAt,
} from '../../lib/json.ts';
import { icon } from '../art/icons.ts';
import { drawText } from '../text/draw.ts';
import {
  changeState,
  control,
  type Field,
  pressEnter,
  stateOf,
  takesFocusOnLoad,
  typeState,
} from './field.ts';
import { drawToken } from './select.ts';

/** `plain_text_input`, of one line or several. */
export function drawTextInput(field: Field): TemplateResult {
  const { element } = field;
  const value = stringAt(stateOf(field), 'value') ?? '';
  const placeholder = textAt(element, 'placeholder');
  const type = ({ target }: Event) => {
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) {
      typeState(field, { type: 'plain_text_input', value: target.value || null });
    }
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing && pressEnter(field)) {
      event.preventDefault();
    }
  };
  return html`<div class="marked">
    ${
      flagAt(element, 'multiline')
        ? html`<textarea
            rows="3"
            placeholder=${placeholder}
            .value=${live(value)}
            ${control(field)}
            @input=${type}
            @keydown=${press}
          ></textarea>`
        : html`<input
            type="text"
            autocomplete="off"
            placeholder=${placeholder}
            .value=${live(value)}
            ${control(field)}
            @input=${type}
            @keydown=${press}
          />`
    }${drawCount(element, value)}
  </div>`;
}

/** The characters left, shown near the limit. Negative beyond it, as in Slack. */
function drawCount(element: JsonObject, value: string): TemplateResult | typeof nothing {
  const max = numberAt(element, 'max_length');
  if (max === undefined || value.length < max * 0.8) {
    return nothing;
  }
  const left = max - value.length;
  return html`<span class="more mark ${left < 0 ? 'unknown' : ''}" aria-live="polite">
    ${left}<span class="unseen"> characters left</span>
  </span>`;
}

/**
 * `datepicker`: `selected_date` as `2025-04-30`. `timepicker`: `selected_time` as `21:05`. The browser shows a text of its own
 * while nothing is chosen, so the placeholder stands before the input.
 */
export function drawPicker(field: Field): TemplateResult {
  const inputType = stringAt(field.element, 'type') === 'datepicker' ? 'date' : 'time';
  const key = `selected_${inputType}`;
  const placeholder = textAt(field.element, 'placeholder');
  return html`<label class="row picker">
    ${placeholder ? html`<span class="more">${placeholder}</span>` : nothing}
    <input
      type=${inputType}
      .value=${live(stringAt(stateOf(field), key) ?? '')}
      ${control(field)}
      @change=${({ target }: Event) => {
        const text = target instanceof HTMLInputElement ? target.value : '';
        void changeState(field, { type: stringAt(field.element, 'type') ?? '', [key]: text || null });
      }}
    />
  </label>`;
}

/** `radio_buttons`. */
export function drawRadioButtons(field: Field): TemplateResult {
  const chosen = stringAt(objectAt(stateOf(field), 'selected_option'), 'value');
  return drawGroup(
    field,
    'radio',
    (option) => stringAt(option, 'value') === chosen,
    (option) => changeState(field, { type: 'radio_buttons', selected_option: option }),
  );
}

/** `checkboxes`. The state keeps the order of the app's options. */
export function drawCheckboxes(field: Field): TemplateResult {
  const chosen = new Set(
    objectsAt(stateOf(field), 'selected_options').map((option) => stringAt(option, 'value')),
  );
  return drawGroup(
    field,
    'checkbox',
    (option) => chosen.has(stringAt(option, 'value')),
    (option, checked) => {
      const after = objectsAt(field.element, 'options').filter((each) =>
        each === option ? checked : chosen.has(stringAt(each, 'value')),
      );
      return changeState(field, { type: 'checkboxes', selected_options: after });
    },
  );
}

function drawGroup(
  field: Field,
  kind: 'radio' | 'checkbox',
  isChosen: (option: JsonObject) => boolean,
  choose: (option: JsonObject, checked: boolean) => Promise<void>,
): TemplateResult {
  const draw = (option: JsonObject, at: number) => {
    const id = at === 0 ? field.inputId : `${field.inputId}-${at}`;
    const description = objectAt(option, 'description');
    return html`<div class="row option">
      <input
        type=${kind}
        id=${id}
        name=${field.inputId}
        .checked=${live(isChosen(option))}
        aria-invalid=${field.invalid}
        aria-describedby=${ifDefined(description ? `${id}-more` : undefined)}
        ?autofocus=${at === 0 && takesFocusOnLoad(field)}
        @change=${({ target }: Event) => choose(option, target instanceof HTMLInputElement && target.checked)}
      />
      <div>
        <label for=${id}>${drawText(objectAt(option, 'text'), field.surface.directory)}</label>
        ${
          description
            ? html`<div class="more" id="${id}-more">${drawText(description, field.surface.directory)}</div>`
            : nothing
        }
      </div>
    </div>`;
  };
  return html`<div
    class="stack"
    role=${kind === 'radio' ? 'radiogroup' : 'group'}
    aria-label=${ifDefined(field.name)}
    aria-labelledby=${ifDefined(field.name ? undefined : `${field.inputId}-label`)}
    aria-describedby=${ifDefined(field.describedBy || undefined)}
  >
    ${objectsAt(field.element, 'options').map(draw)}
  </div>`;
}

/** `file_input`. Uploads each file when it is chosen and keeps the answer in the state. */
export function drawFileInput(field: Field): TemplateResult {
  const files = objectsAt(stateOf(field), 'files');
  const max = numberAt(field.element, 'max_files') ?? 10;
  const accepted = stringsAt(field.element, 'filetypes').map((ending) => `.${ending}`);
  const change = (after: JsonObject[]) => changeState(field, { type: 'file_input', files: after });
  const upload = async (input: HTMLInputElement) => {
    const chosen = [...(input.files ?? [])];
    const uploaded = await Promise.all(chosen.map((file) => field.surface.uploadFile(file)));
    input.value = '';
    await change([...objectsAt(stateOf(field), 'files'), ...uploaded].slice(0, max));
  };
  const tokens = files.map((file) => {
    const name = stringAt(file, 'name') ?? 'file';
    const without = () => void change(files.filter((each) => each !== file));
    return drawToken(html`${icon('file')} ${name}`, without, name);
  });
  return html`${tokens.length > 0 ? html`<ul class="row wraps">${tokens}</ul>` : nothing}
    <input
      type="file"
      ?multiple=${max > 1}
      accept=${ifDefined(accepted.length > 0 ? accepted.join(',') : undefined)}
      ?hidden=${files.length >= max}
      ${control(field)}
      @change=${({ target }: Event) => target instanceof HTMLInputElement && void upload(target)}
    />`;
}
