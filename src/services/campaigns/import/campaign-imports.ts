import { countPages } from '../../../domain/messages/pages.ts';
import { isQuietOperator } from '../../../domain/messages/quiet-hours.ts';
import { phoneNumberSchema } from '../../../domain/phone/phone-number.ts';
import { createKeyedMutex } from '../../../lib/keyed-mutex.ts';
import type { CampaignRepository } from '../../../store/campaigns/campaign-repository.ts';
import type { Campaign, NewCampaign, ReadRow } from '../../../store/campaigns/campaigns.ts';
import { ifOwn, ifSteerable } from '../../operations/ownership.ts';
import type { Workspaces } from '../../workspaces/workspaces.ts';
import type { CreatePreview, Preview } from '../preflight/preview.ts';
import type { SteeringRequest, SteeringResult } from '../steering.ts';
import {
  type ImportFaults,
  type ImportRequest,
  importRecipients,
  type WriteResult,
  writeImport,
} from './import-recipients.ts';

export type CampaignImport =
  | { kind: 'ready'; preview: Preview }
  | ImportFaults
  /** The campaign of this id was started meanwhile. */
  | { kind: 'started'; campaign: Campaign }
  | { kind: 'not_connected' };

type RetryState = 'rejected' | 'unconfirmed';

export interface CampaignImports {
  /**
   * Writes the recipients down as a campaign that is ready to be started. Replaces one of the same id that is not
   * started yet. Throws when the id is that of another user's campaign.
   */
  importRecipients(request: ImportRequest): Promise<CampaignImport>;
  /**
   * Makes a campaign, ready to be started, of the rejected or the unconfirmed recipients of one that has ended. There is
   * at most one for each of the two: it is replaced until it is started, and returned from then on.
   */
  retry(
    request: SteeringRequest & { which: RetryState },
  ): Promise<CampaignImport | Exclude<SteeringResult, { kind: 'done' }>>;
}

export function createCampaignImports(options: {
  campaigns: CampaignRepository;
  workspaces: Workspaces;
  unicode: boolean;
  createPreview: CreatePreview;
}): CampaignImports {
  const { campaigns, workspaces, unicode, createPreview } = options;
  const inOrder = createImportQueue();

  /** Discards a campaign that is not started yet, or whose import broke off. Returns one that was started. */
  async function makeRoom(workspaceId: string, id: string): Promise<CampaignImport | undefined> {
    const known = await campaigns.find(workspaceId, id);
    return known === undefined || (await campaigns.discard(workspaceId, id))
      ? undefined
      : startedMeanwhile(workspaceId, id);
  }

  async function startedMeanwhile(workspaceId: string, id: string): Promise<CampaignImport> {
    const campaign = await campaigns.find(workspaceId, id);
    if (campaign === undefined) {
      throw new Error('a campaign was known and is not');
    }
    return { kind: 'started', campaign };
  }

  /** Writes a campaign in the place of one of the same id, unless that was started. */
  async function replace(
    { workspaceId, id }: { workspaceId: string; id: string },
    write: () => Promise<WriteResult | { kind: 'not_connected' }>,
  ): Promise<CampaignImport> {
    const known = await makeRoom(workspaceId, id);
    if (known !== undefined) {
      return known;
    }
    const result = await write();
    if (result.kind === 'written') {
      return { kind: 'ready', preview: await createPreview(result.campaign, result.columns) };
    }
    return result.kind === 'known' ? startedMeanwhile(workspaceId, id) : result;
  }

  async function runImport(request: ImportRequest): Promise<CampaignImport> {
    const { workspaceId, id, userId } = request;
    const before = await campaigns.find(workspaceId, id);
    if (before !== undefined && ifOwn(before, userId) === undefined) {
      throw new Error('a campaign of another person');
    }
    return replace(request, () => importRecipients(request, { campaigns, workspaces, unicode }));
  }

  return {
    importRecipients(request) {
      const { userId, source, form, numberColumn } = request;
      return inOrder(request, JSON.stringify([userId, source, form, numberColumn]), () => runImport(request));
    },

    async retry({ which, ...request }) {
      const { workspaceId, userId, id } = request;
      const campaign = ifSteerable(await campaigns.find(workspaceId, id), request);
      if (campaign === undefined) {
        return { kind: 'gone' };
      }
      const retry = retryOf(campaign, { which, userId });
      if (retry === undefined) {
        return { kind: 'too_late', campaign };
      }
      return inOrder(retry, userId, () =>
        replace(retry, () => writeImport(retry, rowsOf(campaign, which, campaigns), { campaigns })),
      );
    },
  };
}

/** Returns the campaign that sends to the recipients again; undefined if it has not ended, or its text is deleted. */
function retryOf(
  { workspaceId, id, name, route, senderId, personal, text, endedAt }: Campaign,
  { which, userId }: { which: RetryState; userId: string },
): NewCampaign | undefined {
  if (text === undefined || endedAt === undefined) {
    return undefined;
  }
  return {
    workspaceId,
    // Derived from the campaign's id, so that however often this is called, nobody is sent to twice.
    id: `${id}.${which}`,
    createdBy: userId,
    name: retryName(name, which),
    route,
    senderId,
    personal,
    text,
    retryOf: id,
  };
}

/**
 * Runs the imports of one campaign one after the other, so that the last form submitted counts. A `fingerprint` equal to
 * that of the last import still running shares its result.
 */
function createImportQueue() {
  const mutex = createKeyedMutex();
  const latest = new Map<string, { fingerprint: string; result: Promise<CampaignImport> }>();

  return (
    { workspaceId, id }: { workspaceId: string; id: string },
    fingerprint: string,
    work: () => Promise<CampaignImport>,
  ): Promise<CampaignImport> => {
    const key = JSON.stringify([workspaceId, id]);
    const last = latest.get(key);
    if (last?.fingerprint === fingerprint) {
      return last.result;
    }
    const result = mutex(key, work).finally(() => {
      if (latest.get(key)?.result === result) {
        latest.delete(key);
      }
    });
    latest.set(key, { fingerprint, result });
    return result;
  };
}

/** The recipients of a campaign that ended in a state, as rows of a new one. */
async function* rowsOf(
  campaign: Campaign,
  state: RetryState,
  campaigns: CampaignRepository,
): AsyncGenerator<ReadRow> {
  const sharedPages = countPages(campaign.text ?? '').pages;
  let line = 0;
  for await (const { to, text } of campaigns.chunks(campaign.workspaceId, campaign.id, [state])) {
    for (const number of to) {
      line += 1;
      const pages = text === undefined ? sharedPages : countPages(text).pages;
      const quiet = isQuietOperator(phoneNumberSchema.parse(number));
      yield { kind: 'recipient', line, number, quiet, text, pages };
    }
  }
}

/** A retry of a retry is named after the first campaign. */
function retryName(name: string, which: RetryState): string {
  return `${name.replace(/ · the (?:rejected|unconfirmed) again$/, '')} · the ${which} again`;
}
