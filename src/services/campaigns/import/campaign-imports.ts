import { countPages } from '../../../domain/messages/pages.ts';
import { isQuietOperator } from '../../../domain/messages/quiet-hours.ts';
import { phoneNumberSchema } from '../../../domain/phone/phone-number.ts';
import { createKeyedMutex } from '../../../lib/keyed-mutex.ts';
import type { Campaign, CampaignRepository as Kept, ReadRow } from '../../../store/campaigns/campaigns.ts';
import { ifOwn, ifSteerable } from '../../operations/ownership.ts';
import type { Workspaces } from '../../workspaces/workspaces.ts';
import type { CampaignImport, CampaignService, ImportRequest } from '../campaigns.ts';
import type { Preflight } from '../preflight/preflight.ts';
import { readCampaign, writeDown } from './import-recipients.ts';

/** What makes campaigns that wait to be started: out of a list, or of those of another campaign who did not get it. */
export function prepareCampaigns(options: {
  campaigns: Kept;
  workspaces: Workspaces;
  unicode: boolean;
  previewOf: Preflight['previewOf'];
}): Pick<CampaignService, 'importRecipients' | 'retry'> {
  const { campaigns, workspaces, unicode, previewOf } = options;
  const oneByOne = createKeyedMutex();
  const readings = new Map<string, { what: string; reading: Promise<CampaignImport> }>();

  /**
   * What is known under an id already: what was read before gives way, and so does a reading that broke off, since one
   * goes on after the other; what was started stays.
   */
  async function makeRoom(workspaceId: string, id: string): Promise<CampaignImport | undefined> {
    const known = await campaigns.find(workspaceId, id);
    if (known === undefined) {
      return undefined;
    }
    if (await campaigns.discard(workspaceId, id)) {
      return undefined;
    }
    return startedMeanwhile(workspaceId, id);
  }

  async function read(request: ImportRequest): Promise<CampaignImport> {
    const { workspaceId, id, userId } = request;
    const before = await campaigns.find(workspaceId, id);
    if (before !== undefined && ifOwn(before, userId) === undefined) {
      throw new Error('a campaign of another person');
    }
    const known = await makeRoom(workspaceId, id);
    if (known !== undefined) {
      return known;
    }
    const result = await readCampaign(request, { campaigns, workspaces, unicode });
    if (result.kind === 'read') {
      return { kind: 'ready', preview: await previewOf(result.campaign, result.columns) };
    }
    return result.kind === 'known' ? startedMeanwhile(workspaceId, id) : result;
  }

  async function startedMeanwhile(workspaceId: string, id: string): Promise<CampaignImport> {
    const campaign = await campaigns.find(workspaceId, id);
    if (campaign === undefined) {
      throw new Error('a campaign was known and is not');
    }
    return { kind: 'started', campaign };
  }

  /** One after the other, so that the last form submitted is the one that counts; the same one again is not read again. */
  function inTurn(name: string, what: string, work: () => Promise<CampaignImport>): Promise<CampaignImport> {
    const last = readings.get(name);
    if (last?.what === what) {
      return last.reading;
    }
    const reading = oneByOne(name, work).finally(() => {
      if (readings.get(name)?.reading === reading) {
        readings.delete(name);
      }
    });
    readings.set(name, { what, reading });
    return reading;
  }

  return {
    importRecipients(request) {
      const { workspaceId, id, userId, source, form, numberColumn } = request;
      const what = JSON.stringify([userId, source, form, numberColumn]);
      return inTurn(JSON.stringify([workspaceId, id]), what, () => read(request));
    },

    async retry({ which, ...request }) {
      const { workspaceId, userId, id } = request;
      const campaign = ifSteerable(await campaigns.find(workspaceId, id), request);
      if (campaign === undefined) {
        return { kind: 'gone' };
      }
      const { route, senderId, personal, text, endedAt } = campaign;
      if (text === undefined || endedAt === undefined) {
        return { kind: 'too_late', campaign };
      }
      // Of the campaign's own id, so that however often it is asked for, nobody is sent to twice.
      const newId = `${id}.${which}`;
      return inTurn(JSON.stringify([workspaceId, newId]), userId, async () => {
        const known = await makeRoom(workspaceId, newId);
        if (known !== undefined) {
          return known;
        }
        const written = await writeDown(
          {
            id: newId,
            workspaceId,
            createdBy: userId,
            name: nameAgain(campaign.name, which),
            route,
            senderId,
            personal,
            text,
            retryOf: id,
          },
          rowsOf(campaign, which, campaigns),
          { campaigns },
        );
        if (written.kind === 'written') {
          return { kind: 'ready', preview: await previewOf(written.campaign) };
        }
        return written.kind === 'known' ? startedMeanwhile(workspaceId, newId) : written;
      });
    },
  };
}

/** The recipients of a campaign that ended so, as rows of a new one. */
async function* rowsOf(
  campaign: Campaign,
  state: 'rejected' | 'unconfirmed',
  campaigns: Kept,
): AsyncGenerator<ReadRow> {
  const sharedPages = countPages(campaign.text ?? '').pages;
  let line = 0;
  for await (const { to, text } of campaigns.chunks(campaign.workspaceId, campaign.id, [state])) {
    for (const number of to) {
      line += 1;
      yield {
        kind: 'recipient',
        line,
        number,
        quiet: isQuietOperator(phoneNumberSchema.parse(number)),
        ...(text === undefined ? { pages: sharedPages } : { text, pages: countPages(text).pages }),
      };
    }
  }
}

/** Tells a campaign to some of another's recipients from that one. */
function nameAgain(name: string, which: 'rejected' | 'unconfirmed'): string {
  return `${name.replace(/ · the (?:rejected|unconfirmed) again$/, '')} · the ${which} again`;
}
