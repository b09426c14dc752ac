import { textToSend } from '../../../domain/messages/accents.ts';
import {
  checkSenderFields,
  checkTemplateText,
  definedFaults,
  senderOf,
} from '../../../domain/messages/message-checks.ts';
import { optOutColumn } from '../../../domain/messages/opt-out-link.ts';
import { type Route, readRoute } from '../../../domain/messages/routes.ts';
import {
  isPersonal,
  readTemplate,
  type Template,
  unknownColumns,
} from '../../../domain/messages/template.ts';
import { spaceCode } from '../../../domain/otp/one-time-code.ts';

/** A campaign as the user typed it. What the route does not use is ignored. */
export interface CampaignForm {
  /** The name of the file or the phonebook unless given. */
  name?: string | undefined;
  /** May hold `{{columns}}` of the recipients' table. */
  text: string;
  route: string | undefined;
  senderId?: string | undefined;
  /** In place of the sender ID on the chat route. */
  device?: string | undefined;
  /** Whether the cells that the text uses are replaced by their plain text (`toPlainText`). */
  plainCells?: boolean | undefined;
  /** Whether the text and the cells are sent without accents. */
  withoutAccents?: boolean | undefined;
  /** See `NewCampaign`. */
  isMessage?: boolean | undefined;
  bySlackbot?: boolean | undefined;
}

/** A field of the form. `recipients` is the file, the pasted text or the phonebook. */
export type CampaignField = 'recipients' | 'text' | 'route' | 'senderId' | 'device';
/** A sentence beside each field that is wrong. */
export type CampaignFaults = Partial<Record<CampaignField, string>>;

export interface ReadForm {
  /** As it is sent. */
  text: string;
  template: Template;
  route: Route;
  senderId: string;
}

/**
 * `unicode`: whether text outside the SMS alphabet can be sent. `active`: the account's active sender IDs, see
 * `readSenderId`.
 */
export function parseCampaignForm(
  form: CampaignForm,
  { unicode, active }: { unicode: boolean; active: readonly string[] },
): { ok: true; form: ReadForm } | { ok: false; faults: CampaignFaults } {
  const route = readRoute(form.route);
  const senderId = senderOf(form, route);
  const { text: written } = textToSend(form.text, form.withoutAccents === true);
  // A message fills in no columns, also one for later: braces stay as they are.
  const read = form.isMessage ? { ok: true as const, template: { parts: [written] } } : readTemplate(written);
  const faults = definedFaults({
    ...checkSenderFields(senderId, route, active),
    text: read.ok ? checkTemplateText(read.template, { route, unicode }) : read.reason,
  });
  if (!read.ok || route === undefined || Object.keys(faults).length > 0) {
    return { ok: false, faults };
  }
  const text = route === 'voice' && !isPersonal(read.template) ? spaceCode(written) : written;
  return { ok: true, form: { text, template: read.template, route, senderId } };
}

/**
 * Checks that the table has every column that the text uses. `hasOptOutLinks`: whether `{{opt_out}}` becomes a link; where
 * it does not, it is a column like any other.
 */
export function checkColumns(
  template: Template,
  columns: readonly { name: string }[],
  hasOptOutLinks: boolean,
): CampaignFaults {
  const names = columns.map(({ name }) => name);
  const unknown = unknownColumns(template, hasOptOutLinks ? [...names, optOutColumn] : names);
  if (unknown.length === 0) {
    return {};
  }
  if (unknown.includes(optOutColumn)) {
    return {
      text: 'Opt-out links are off here, so remove {{opt_out}}. Your operator can turn them on.',
    };
  }
  const verb = unknown.length === 1 ? 'is not a column' : 'are not columns';
  const instead = names.length === 0 ? 'Pasted numbers have no columns.' : `Columns: ${placeholders(names)}.`;
  return { text: `${placeholders(unknown)} ${verb} of the list. ${instead}` };
}

function placeholders(names: readonly string[]): string {
  return names.map((name) => `{{${name}}}`).join(', ');
}
