import { CsvFault } from '../../../domain/csv/read-csv.ts';
import type { ChosenReading } from '../../../domain/csv/table-reading.ts';
import { accentedLetters } from '../../../domain/messages/accents.ts';
import { isPersonal } from '../../../domain/messages/template.ts';
import type { Campaign, NewCampaign, ShownCampaign } from '../../../store/campaigns/campaigns.ts';
import { NoLongerDraftError } from '../../../store/campaigns/import/finish-imports.ts';
import type { ImportWriter } from '../../../store/campaigns/import/import-writer.ts';
import type { Context } from '../../context.ts';
import type { Workspaces } from '../../workspaces/workspaces.ts';
import { rowsOfAudience } from './audiences.ts';
import { type CampaignForm, parseCampaignForm } from './campaign-form.ts';
import {
  followUpName,
  type OpenedSource,
  openSource,
  type RecipientSource,
  readFailure,
  rowsOfFormer,
  tableOf,
} from './recipient-sources.ts';
import { type ImportFaults, type ReadDetails, recipientsFault, writeTable } from './write-recipients.ts';

export interface ImportRequest {
  workspaceId: string;
  userId: string;
  /** The user's own id (see `ownId`). It becomes the campaign's id, so a form that is submitted twice is imported once. */
  id: string;
  source: RecipientSource;
  form: CampaignForm;
  /** The version of the draft that the user saw and replaces. Undefined if there was none. */
  shownVersion?: string | undefined;
  /** The draft, as shown, that this campaign replaces once it is ready. Both may have the same id. */
  replaces?: ShownCampaign | undefined;
  /** Whether the user is waiting for the import, see `NewCampaign`. */
  isAwaited?: boolean | undefined;
  /** How to read the table, if the user chose it. */
  reading?: ChosenReading | undefined;
  /** The account's active sender IDs, see `readSenderId`. */
  active?: readonly string[] | undefined;
  /** Called with the number of rows read so far. */
  onProgress?: ((rows: number) => void) | undefined;
}

/** `known`: a campaign with this id exists. `superseded`: the draft to replace was started or discarded. */
export type WriteResult =
  | ({ kind: 'written'; campaign: Campaign } & ReadDetails)
  | ImportFaults
  | { kind: 'known' }
  | { kind: 'superseded' };

type ReadResult =
  | ({ kind: 'read'; writer: ImportWriter } & ReadDetails)
  | Exclude<WriteResult, { kind: 'written' }>;

/** Imports the recipients of a campaign. If that fails, nothing is kept. */
export async function importRecipients(
  request: ImportRequest,
  context: Context,
  workspaces: Workspaces,
): Promise<WriteResult> {
  const read = await readCampaign(request, context, workspaces);
  if (read.kind !== 'read') {
    return read;
  }
  const { writer, readingReview, followedUp, accents } = read;
  try {
    return { kind: 'written', campaign: await writer.finish(), readingReview, followedUp, accents };
  } catch (error) {
    await writer.abandon();
    if (error instanceof NoLongerDraftError) {
      return { kind: 'superseded' };
    }
    throw error;
  }
}

/**
 * Streams recipients into chunks in constant memory. The caller then finishes or abandons the campaign. If
 * reading fails, nothing is kept.
 */
export async function readCampaign(
  request: ImportRequest,
  context: Context,
  workspaces: Workspaces,
): Promise<ReadResult> {
  const {
    settings: { optOutAddress },
    store: { campaigns },
    dialect,
  } = context;
  const { workspaceId, userId, id, source, form, replaces, isAwaited, onProgress } = request;
  const unicode = dialect.unicodeType !== undefined;
  const open = await openerOf(request, context, workspaces);
  const read = parseCampaignForm(form, { unicode, active: request.active ?? [] });
  if (!read.ok) {
    const opened = await open();
    return {
      kind: 'faults',
      faults: { ...read.faults, ...(opened.ok ? {} : { recipients: opened.reason }) },
    };
  }
  const { text, template, route, senderId } = read.form;
  const campaign: NewCampaign = {
    id,
    workspaceId,
    createdBy: userId,
    name: nameOf(form, source),
    route,
    senderId,
    personal: isPersonal(template),
    text,
    plainCells: form.plainCells === true,
    withoutAccents: form.withoutAccents === true,
    isMessage: form.isMessage === true,
    bySlackbot: form.bySlackbot === true,
    partOf: 'campaign' in source ? source.campaign.listSize : undefined,
    replaces,
    isAwaited,
    ...((source.kind === 'run' || (source.kind === 'earlier' && source.which !== 'draft')) && {
      retryOf: source.campaign.id,
    }),
    followUpOf: followUpOf(source),
    ...(source.kind === 'run' && { occurrence: { of: source.campaign.sequence, at: source.at } }),
  };
  // Stored before its recipients are fetched: its creator is told if the program stops meanwhile.
  const writer = await campaigns.begin(campaign);
  if (writer === undefined) {
    return { kind: 'known' };
  }
  try {
    const opened = await open();
    const result = opened.ok
      ? await writeTable(opened.table, writer, {
          context,
          template,
          route,
          unicode,
          plainCells: form.plainCells === true,
          accents: form.withoutAccents === true ? new Map(accentedLetters(form.text)) : undefined,
          optOutAddress,
          source,
          isReadingChosen: request.reading !== undefined,
          typed: form.text,
          onProgress,
        })
      : recipientsFault(opened.reason);
    if (result.kind === 'faults') {
      await writer.abandon();
    }
    return result;
  } catch (error) {
    await writer.abandon();
    if (error instanceof NoLongerDraftError) {
      return { kind: 'superseded' };
    }
    const reason = error instanceof CsvFault ? error.reason : readFailure(error);
    if (reason === undefined) {
      throw error;
    }
    return recipientsFault(reason);
  }
}

/** Returns a function that opens the source. Throws a Refusal if no provider key is connected. */
async function openerOf(
  { workspaceId, source, reading }: ImportRequest,
  context: Context,
  workspaces: Workspaces,
): Promise<() => Promise<OpenedSource>> {
  const { campaigns } = context.store;
  // A run without a key too: it is paused at its start, and its creator told.
  if (source.kind === 'run') {
    return async () => ({ ok: true, table: tableOf(source.campaign, rowsOfFormer(source, campaigns)) });
  }
  const account = await workspaces.connected(workspaceId);
  switch (source.kind) {
    case 'earlier':
    case 'part':
      return async () => ({ ok: true, table: tableOf(source.campaign, rowsOfFormer(source, campaigns)) });
    case 'audience':
      return async () => ({ ok: true, table: tableOf(source.campaign, rowsOfAudience(source, context)) });
    default: {
      const { country } = await workspaces.defaults(workspaceId);
      return () => openSource(source, { country, reading, account });
    }
  }
}

function nameOf({ name = '' }: CampaignForm, source: RecipientSource): string {
  const typedName = name.trim();
  if (typedName !== '') {
    return typedName;
  }
  switch (source.kind) {
    case 'pasted':
      return 'Pasted numbers';
    case 'earlier':
      return source.which === 'draft'
        ? source.campaign.name
        : followUpName(source.campaign.name, source.which);
    case 'run':
    case 'part':
    case 'audience':
      return source.campaign.name;
    default:
      return source.name;
  }
}

/** Returns the id of the campaign that a new one follows up. */
function followUpOf(source: RecipientSource): string | undefined {
  if (!('campaign' in source)) {
    return undefined;
  }
  const { campaign } = source;
  if (source.kind === 'audience') {
    return source.followUp && campaign.id;
  }
  return source.kind === 'earlier' && source.followUp !== undefined ? campaign.id : campaign.followUpOf;
}
