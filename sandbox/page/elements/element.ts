import { html, type TemplateResult } from 'lit';
import { stringAt } from '../../lib/json.ts';
import { drawButton, drawFeedbackButtons, drawOverflow } from './button.ts';
import { drawCheckboxes, drawRadioButtons } from './choice.ts';
import type { Field } from './field.ts';
import { drawFileInput } from './file.ts';
import { drawSelect } from './select.ts';
import { drawRichTextInput, drawTextInput } from './text.ts';
import { drawDatePicker, drawDateTimePicker, drawTimePicker } from './time.ts';

const drawers: Record<string, (field: Field) => TemplateResult> = {
  button: drawButton,
  workflow_button: drawButton,
  icon_button: drawButton,
  feedback_buttons: drawFeedbackButtons,
  overflow: drawOverflow,
  plain_text_input: drawTextInput,
  email_text_input: drawTextInput,
  url_text_input: drawTextInput,
  number_input: drawTextInput,
  rich_text_input: drawRichTextInput,
  radio_buttons: drawRadioButtons,
  checkboxes: drawCheckboxes,
  datepicker: drawDatePicker,
  timepicker: drawTimePicker,
  datetimepicker: drawDateTimePicker,
  file_input: drawFileInput,
};

/** Draws any interactive element; of one that is not known it says so. */
export function drawElement(field: Field): TemplateResult {
  const type = stringAt(field.element, 'type') ?? '';
  if (type.endsWith('_select')) {
    return drawSelect(field);
  }
  const draw = drawers[type];
  return draw
    ? draw(field)
    : html`<em class="unknown">The sandbox cannot draw an element of type “${type}”.</em>`;
}

/** Whether a `<label for>` can name the element: a group of options is named by its label's id instead. */
export const isGroup = (type: string): boolean => type === 'radio_buttons' || type === 'checkboxes';
