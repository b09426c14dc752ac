import type { Time } from '../lib/time.ts';
import type { Timers } from '../lib/timers.ts';
import type { Provider } from '../provider/client.ts';
import type { Store } from '../store/store.ts';
import type { CampaignService } from './campaigns/campaign-service.ts';
import { createCampaignService } from './campaigns/campaign-service.ts';
import type { CampaignLimits } from './campaigns/sending/workspace-workers.ts';
import { type ContactUploads, createContactUploads } from './contacts/contact-uploads.ts';
import { type Contacts, createContacts } from './contacts/contacts.ts';
import { createPhonebookService, type PhonebookService } from './contacts/phonebooks.ts';
import { createEsimOrders, type EsimOrders } from './esims/esim-orders.ts';
import { createEsimService, type EsimService } from './esims/esims.ts';
import { createHistory, type History } from './history/history.ts';
import { createDrafts } from './messages/drafts.ts';
import { createMessageService, type MessageService } from './messages/message-service.ts';
import { createDndChecker, type DndChecker } from './numbers/dnd-check.ts';
import { createNumberLookup, type NumberLookup } from './numbers/number-lookup.ts';
import { createOperations, type Operations } from './operations/operations.ts';
import { createCodeVault } from './otp/code-vault.ts';
import { createOtpService, type OtpService } from './otp/otp-service.ts';
import { createSenderIdRequests, type SenderIdRequests } from './sender-ids/sender-id-requests.ts';
import { createSenderIdService, type SenderIdService } from './sender-ids/sender-ids.ts';
import { createSuppressionService, type SuppressionService } from './suppression-list/suppression-list.ts';
import { createWorkspaces, type Workspaces } from './workspaces/workspaces.ts';

/** What a person can do, free of Slack. */
export interface Services {
  workspaces: Workspaces;
  senderIds: SenderIdService;
  senderIdRequests: SenderIdRequests;
  dndChecker: DndChecker;
  numberLookup: NumberLookup;
  operations: Operations;
  history: History;
  messages: MessageService;
  suppressionList: SuppressionService;
  campaigns: CampaignService;
  otp: OtpService;
  esims: EsimService;
  esimOrders: EsimOrders;
  phonebooks: PhonebookService;
  contacts: Contacts;
  contactUploads: ContactUploads;
  /** When it was last noticed that the data had been restored or copied. */
  restoredAt: Date | undefined;
  /** Whether text outside the SMS alphabet can be sent: the dialect names the provider's Unicode type. */
  unicode: boolean;
  /** Whether a contact can be deleted: the dialect says how the provider wants to be told which one. */
  contactDeletion: boolean;
}

export function createServices(options: {
  store: Store;
  provider: Provider;
  unicode: boolean;
  contactDeletion: boolean;
  campaignLimits: CampaignLimits;
  time: Time;
  timers: Timers;
  /** Hears of faults that nobody waits for. */
  report: (error: unknown) => void;
  /** Called with each operation's kind and how it ended, for the metrics. */
  ended: (kind: string, state: string) => void;
}): Services {
  const { store, provider, unicode, contactDeletion, campaignLimits, time, timers, report, ended } = options;
  const { now: clock, elapsed } = time;
  const keyv = (workspaceId: string, area: string) => store.keyv(workspaceId, area);
  const workspaces = createWorkspaces({ keyv, provider, purge: store.purge, clock, elapsed });
  const senderIds = createSenderIdService({ workspaces, elapsed });
  const numbers = createDndChecker({ workspaces });
  const numberLookUp = createNumberLookup({ workspaces, clock });
  const { refuseOutdated } = store;
  const operations = createOperations({ ledger: store.ledger, keyv, refuseOutdated, ended });
  const senderIdRequests = createSenderIdRequests({ workspaces, operations });
  const oneTimeCodes = createOtpService({
    workspaces,
    operations,
    keptCodes: createCodeVault({ keyv, clock, elapsed }),
    clock,
  });
  const doNotContact = createSuppressionService(store.suppressionList);
  const messaging = createMessageService({
    workspaces,
    drafts: createDrafts(keyv),
    numbers,
    doNotContact,
    operations,
    clock,
  });
  const esims = createEsimService({ workspaces, clock, elapsed });
  const esimOrders = createEsimOrders({ keyv, workspaces, esims, operations });
  return {
    workspaces,
    senderIds,
    senderIdRequests,
    dndChecker: numbers,
    numberLookup: numberLookUp,
    operations,
    history: createHistory(store),
    messages: messaging,
    suppressionList: doNotContact,
    campaigns: createCampaignService({
      campaigns: store.campaigns,
      workspaces,
      checkDnd: numbers.checkDnd,
      operations,
      unicode,
      limits: campaignLimits,
      time,
      timers,
      report,
      onChunkEnded: (state) => ended('campaign.chunk', state),
    }),
    otp: oneTimeCodes,
    esims,
    esimOrders,
    phonebooks: createPhonebookService({ keyv, workspaces }),
    contacts: createContacts({ workspaces, operations }),
    contactUploads: createContactUploads({ keyv, workspaces, operations }),
    restoredAt: store.installation.restoredAt,
    unicode,
    contactDeletion,
  };
}
