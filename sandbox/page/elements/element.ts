import { html, type TemplateResult } from 'lit';
import { stringAt } from '../../lib/json.ts';
import { drawButton, drawOverflow } from './button.ts';
import type { Field } from './field.ts';
import { drawFileInput } from './file.ts';
import { drawCheckboxes, drawRadioButtons } from './options.ts';
import { drawDatePicker, drawTimePicker } from './pickers.ts';
import { drawMultiSelect, drawSelect } from './select.ts';
import { drawTextInput } from './text.ts';

/** The elements that the app's views use. Others that Slack accepts are named on the page instead of drawn. */
const drawers: Record<string, (field: Field) => TemplateResult> = {
  button: drawButton,
  overflow: drawOverflow,
  plain_text_input: drawTextInput,
  radio_buttons: drawRadioButtons,
  checkboxes: drawCheckboxes,
  static_select: drawSelect,
  external_select: drawSelect,
  conversations_select: drawSelect,
  users_select: drawSelect,
  channels_select: drawSelect,
  multi_static_select: drawMultiSelect,
  multi_external_select: drawMultiSelect,
  multi_conversations_select: drawMultiSelect,
  multi_channels_select: drawMultiSelect,
  multi_users_select: drawMultiSelect,
  datepicker: drawDatePicker,
  timepicker: drawTimePicker,
  file_input: drawFileInput,
};

export function drawElement(field: Field): TemplateResult {
  const type = stringAt(field.element, 'type') ?? '';
  const draw = Object.hasOwn(drawers, type) ? drawers[type] : undefined;
  return draw
    ? draw(field)
    : html`<em class="unknown">The sandbox cannot draw an element of type “${type}”.</em>`;
}

/** Whether a `<label for>` cannot name the element: a group of options refers to the id of its label instead. */
export const isGroup = (type: string): boolean => type === 'radio_buttons' || type === 'checkboxes';
