import { CsvFault } from '../../../domain/csv/read-csv.ts';
import type { RecipientRow } from '../../../domain/csv/recipient-rows.ts';
import { checkSender, checkText, definedFaults, senderOf } from '../../../domain/messages/message-checks.ts';
import { countPages } from '../../../domain/messages/pages.ts';
import { isQuietOperator } from '../../../domain/messages/quiet-hours.ts';
import { type Route, readRoute } from '../../../domain/messages/routes.ts';
import {
  isPersonal,
  readTemplate,
  render,
  type Template,
  unknownColumns,
} from '../../../domain/messages/template.ts';
import { spaceCode } from '../../../domain/otp/one-time-code.ts';
import type {
  Campaign,
  CampaignCounts,
  CampaignRepository,
  NewCampaign,
  ReadRow,
  RejectedRow,
} from '../../../store/campaigns/campaigns.ts';
import type { Workspaces } from '../../workspaces/workspaces.ts';
import type { CampaignFaults, CampaignForm, ImportRequest, RecipientSource } from '../campaigns.ts';
import { maxRows, openSource, reasonOfBreak } from './recipient-sources.ts';

/** Written down together. With more of them it goes little faster, and who types a command has to wait. */
const together = 100;

/** In characters, once the columns are filled in: some thirty pages. */
const maxText = 5000;

export type ReadCampaign =
  | { kind: 'read'; campaign: Campaign; columns?: { titles: string[]; chosen: number } }
  | { kind: 'faults'; faults: CampaignFaults }
  | { kind: 'known' }
  | { kind: 'not_connected' };

interface ReadForm {
  text: string;
  template: Template;
  route: Route;
  senderId: string;
}

/** Reads recipients row by row, and writes them down as chunks: of a million rows only a few are held at a time. */
export async function readCampaign(
  request: ImportRequest,
  tools: { campaigns: CampaignRepository; workspaces: Workspaces; unicode: boolean },
): Promise<ReadCampaign> {
  const { workspaceId, userId, id, source, form, numberColumn } = request;
  const { campaigns, workspaces, unicode } = tools;
  const account = await workspaces.account(workspaceId);
  if (account === undefined) {
    return { kind: 'not_connected' };
  }
  const { country } = await workspaces.defaults(workspaceId);
  const read = readForm(form, unicode);
  const opened = await openSource(source, { country, numberColumn, account });
  const faults = {
    ...(read.ok ? {} : read.faults),
    ...(opened.ok ? {} : { recipients: opened.reason }),
    ...(read.ok && opened.ok ? faultOfColumns(read.form.template, opened.table.columns) : {}),
  };
  if (!read.ok || !opened.ok || Object.keys(faults).length > 0) {
    return { kind: 'faults', faults };
  }

  const { text, template, route, senderId } = read.form;
  const { table } = opened;
  const personal = isPersonal(template);
  const readRow = rowReader({ template, route, unicode });
  const rows = async function* () {
    for await (const row of table.rows) {
      yield readRow(row);
    }
  };
  const written = await writeDown(
    { id, workspaceId, createdBy: userId, name: nameOf(form, source), route, senderId, personal, text },
    rows(),
    { campaigns, progress: request.onProgress },
  );
  if (written.kind !== 'written') {
    return written;
  }
  return {
    kind: 'read',
    campaign: written.campaign,
    ...(table.isList || table.columns.length < 2 || source.kind === 'phonebook'
      ? {}
      : { columns: { titles: table.columns.map(({ title }) => title), chosen: table.number.index } }),
  };
}

/** Writes rows down as a campaign that waits to be started. */
export async function writeDown(
  campaign: NewCampaign,
  rows: AsyncIterable<ReadRow>,
  { campaigns, progress }: { campaigns: CampaignRepository; progress?: ((rows: number) => void) | undefined },
): Promise<
  { kind: 'written'; campaign: Campaign } | { kind: 'faults'; faults: CampaignFaults } | { kind: 'known' }
> {
  const writer = await campaigns.begin(campaign);
  if (writer === undefined) {
    return { kind: 'known' };
  }
  let batch: ReadRow[] = [];
  let count = 0;
  let firstInvalid: RejectedRow | undefined;
  try {
    for await (const row of rows) {
      batch.push(row);
      count += 1;
      if (row.kind === 'invalid') {
        firstInvalid ??= row;
      }
      if (count > maxRows) {
        await writer.abandon();
        return recipientsFault('This list has more than a million rows. Divide it.');
      }
      if (batch.length === together) {
        await writer.add(batch);
        batch = [];
        progress?.(count);
      }
    }
    const counts = await writer.add(batch);
    if (counts.recipients === 0) {
      await writer.abandon();
      return recipientsFault(whyNobody(counts, firstInvalid));
    }
    progress?.(count);
    return { kind: 'written', campaign: await writer.finish() };
  } catch (error) {
    await writer.abandon();
    const reason = error instanceof CsvFault ? error.reason : reasonOfBreak(error);
    if (reason === undefined) {
      throw error;
    }
    return recipientsFault(reason);
  }
}

function whyNobody({ invalid, suppressed }: CampaignCounts, firstInvalid: RejectedRow | undefined): string {
  const inTheWay = [
    ...(firstInvalid === undefined
      ? []
      : [
          `${invalid.toLocaleString('en')} cannot be used (line ${firstInvalid.line} ${firstInvalid.reason})`,
        ]),
    ...(suppressed === 0 ? [] : [`${suppressed.toLocaleString('en')} on the do-not-contact list`]),
  ];
  return `No number in it can be sent to${inTheWay.length === 0 ? '' : `: ${inTheWay.join(', ')}`}.`;
}

function recipientsFault(reason: string): { kind: 'faults'; faults: CampaignFaults } {
  return { kind: 'faults', faults: { recipients: reason } };
}

function readForm(
  form: CampaignForm,
  unicode: boolean,
): { ok: true; form: ReadForm } | { ok: false; faults: CampaignFaults } {
  const route = readRoute(form.route);
  const senderId = senderOf(form, route);
  const read = readTemplate(form.text);
  const plain = read.ok ? read.template.parts.filter((part) => typeof part === 'string').join('') : form.text;
  const faults = definedFaults({
    ...checkSender(senderId, route),
    text: read.ok ? checkText(isPersonal(read.template) ? `${plain} -` : plain, unicode) : read.reason,
  });
  if (!read.ok || route === undefined || Object.keys(faults).length > 0) {
    return { ok: false, faults };
  }
  const text = route === 'voice' && !isPersonal(read.template) ? spaceCode(form.text) : form.text;
  return { ok: true, form: { text, template: read.template, route, senderId } };
}

function faultOfColumns(template: Template, columns: readonly { name: string }[]): CampaignFaults {
  const unknown = unknownColumns(
    template,
    columns.map(({ name }) => name),
  );
  if (unknown.length === 0) {
    return {};
  }
  const named = unknown.map((name) => `{{${name}}}`).join(', ');
  const known = columns.map(({ name }) => `{{${name}}}`).join(', ');
  const instead = columns.length === 0 ? 'Numbers alone have no columns.' : `There are: ${known}.`;
  return {
    text: `${named} ${unknown.length === 1 ? 'is not a column' : 'are not columns'} of the list. ${instead}`,
  };
}

function nameOf({ name = '' }: CampaignForm, source: RecipientSource): string {
  const own = name.trim();
  if (own !== '') {
    return own;
  }
  return source.kind === 'pasted' ? 'Pasted numbers' : source.name;
}

/** What each row of the table becomes: a recipient with what is to be sent, or a row left out, with the reason. */
function rowReader(options: {
  template: Template;
  route: Route;
  unicode: boolean;
}): (row: RecipientRow) => ReadRow {
  const { template, route, unicode } = options;
  const personal = isPersonal(template);
  const shared = render(template, () => '');
  const sharedPages = shared.ok ? countPages(shared.text).pages : 0;

  return (row: RecipientRow): ReadRow => {
    if (row.kind === 'invalid') {
      return row;
    }
    const { line, number } = row;
    const recipient = { kind: 'recipient' as const, line, number, quiet: isQuietOperator(number) };
    if (!personal) {
      return { ...recipient, pages: sharedPages };
    }
    const invalid = (reason: string) => ({ kind: 'invalid' as const, line, text: number, reason });
    const rendered = render(template, row.value);
    if (!rendered.ok) {
      return invalid(`has no ${rendered.missing.join(' and no ')}`);
    }
    if (rendered.text.length > maxText) {
      return invalid(`would get more than ${maxText.toLocaleString('en')} characters`);
    }
    const text = route === 'voice' ? spaceCode(rendered.text) : rendered.text;
    if (text.trim() === '') {
      return invalid('would get an empty message');
    }
    const { pages, needsUnicode } = countPages(text);
    return needsUnicode && !unicode
      ? invalid('has letters or emoji that need the provider’s Unicode type, which is not set up here')
      : { ...recipient, text, pages };
  };
}
