import { html, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { live } from 'lit/directives/live.js';
import { type JsonObject, stringAt } from '../../lib/json.ts';
import { objectAt, objectsAt } from '../json.ts';
import { drawText } from '../text/draw.ts';
import { changeState, type Field, stateOf, takesFocusOnLoad } from './field.ts';

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
  const options = objectsAt(field.element, 'options');
  return html`<div
    class="options"
    role=${kind === 'radio' ? 'radiogroup' : 'group'}
    aria-label=${ifDefined(field.name)}
    aria-labelledby=${ifDefined(field.name ? undefined : `${field.inputId}-label`)}
    aria-describedby=${ifDefined(field.describedBy || undefined)}
  >
    ${options.map((option, at) => {
      const id = at === 0 ? field.inputId : `${field.inputId}-${at}`;
      const description = objectAt(option, 'description');
      return html`<div class="option">
        <input
          type=${kind}
          id=${id}
          name=${field.inputId}
          .checked=${live(isChosen(option))}
          aria-invalid=${field.invalid}
          aria-describedby=${ifDefined(description ? `${id}-more` : undefined)}
          ?data-focus-first=${at === 0 && takesFocusOnLoad(field)}
          @change=${(event: Event) =>
            choose(option, event.target instanceof HTMLInputElement && event.target.checked)}
        />
        <label for=${id}>${drawText(objectAt(option, 'text'), field.surface.directory)}</label>
        ${
          description
            ? html`<div class="more" id="${id}-more">${drawText(description, field.surface.directory)}</div>`
            : ''
        }
      </div>`;
    })}
  </div>`;
}
