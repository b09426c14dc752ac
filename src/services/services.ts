import type { Decision } from '../domain/access/decision.ts';
import type { Timers } from '../lib/time/timers.ts';
import type { Time } from '../lib/time/trusted-time.ts';
import type { Provider } from '../provider/client.ts';
import type { Dialect } from '../provider/dialect.ts';
import type { Store } from '../store/store.ts';
import { type AccessService, createAccessService } from './access/access.ts';
import { type AuditService, createAuditService } from './audit/audit-service.ts';
import type { CampaignService } from './campaigns/campaign-service.ts';
import { createCampaignService } from './campaigns/campaign-service.ts';
import type { CampaignLimits } from './campaigns/sending/workspace-workers.ts';
import { type ContactUploads, createContactUploads } from './contacts/contact-uploads.ts';
import { type Contacts, createContacts } from './contacts/contacts.ts';
import { createPhonebookService, type PhonebookService } from './contacts/phonebooks.ts';
import { type Costs, createCosts } from './costs/costs.ts';
import { createEsimOrders, type EsimOrders } from './esims/esim-orders.ts';
import { createEsimService, type EsimService } from './esims/esims.ts';
import { createHistory, type History } from './history/history.ts';
import { type AttentionService, createAttentionService } from './home/attention.ts';
import { createDrafts } from './messages/drafts.ts';
import { createMessageService, type MessageService } from './messages/message-service.ts';
import { createDndChecker, type DndChecker } from './numbers/dnd-check.ts';
import { createNumberLookup, type NumberLookup } from './numbers/number-lookup.ts';
import { createOperations, type Operations } from './operations/operations.ts';
import { createCodeVault } from './otp/code-vault.ts';
import { createOtpService, type OtpService } from './otp/otp-service.ts';
import { createSenderIdService, type SenderIdService } from './sender-ids/sender-id-service.ts';
import { createSuppressionService, type SuppressionService } from './suppression-list/suppression-list.ts';
import { createWorkspaces, type Workspaces } from './workspaces/workspaces.ts';

/** Everything a user can do, without Slack. */
export interface Services {
  workspaces: Workspaces;
  operations: Operations;
  access: AccessService;
  audit: AuditService;
  costs: Costs;
  home: AttentionService;
  history: History;
  messages: MessageService;
  campaigns: CampaignService;
  suppressionList: SuppressionService;
  otp: OtpService;
  dndChecker: DndChecker;
  numberLookup: NumberLookup;
  senderIds: SenderIdService;
  phonebooks: PhonebookService;
  contacts: Contacts;
  contactUploads: ContactUploads;
  esims: EsimService;
  esimOrders: EsimOrders;
  /** When it was last noticed that the data had been restored or copied. */
  restoredAt: Date | undefined;
  /** The settings of the provider's dialect, for an admin to see. */
  dialect: Dialect;
  /** Whether text outside the SMS alphabet can be sent: the dialect names the provider's Unicode type. */
  unicode: boolean;
  /** Whether contacts can be deleted: the dialect says how a request names the contact. */
  contactDeletion: boolean;
  /** Whether eSIMs can be created and topped up. */
  esimPurchases: boolean;
}

export function createServices(options: {
  store: Store;
  provider: Provider;
  dialect: Dialect;
  campaignLimits: CampaignLimits;
  esimPurchases: boolean;
  time: Time;
  timers: Timers;
  /** Decides what a person may do now. */
  decide: (workspaceId: string, userId: string) => Promise<Decision>;
  /** Called with errors of background work, which no caller waits for. */
  report: (error: unknown) => void;
  /** Called with each operation's kind and final state, for the metrics. */
  ended: (kind: string, state: string) => void;
}): Services {
  const { store, provider, dialect, campaignLimits, esimPurchases, time, timers, decide, report, ended } =
    options;
  const unicode = dialect.unicodeType !== undefined;
  const { now: clock, elapsed } = time;
  const keyv = (workspaceId: string, area: string) => store.keyv(workspaceId, area);
  const workspaces = createWorkspaces({ keyv, provider, purge: store.purge, clock, elapsed, report });
  const operations = createOperations({
    ledger: store.ledger,
    keyv,
    account: workspaces.account,
    refuseOutdated: store.refuseOutdated,
    ended,
  });
  const access = createAccessService({ roles: store.roles, installer: async () => undefined, decide });
  const dndChecker = createDndChecker({ workspaces });
  const campaigns = createCampaignService({
    campaigns: store.campaigns,
    workspaces,
    checkDnd: dndChecker.checkDnd,
    operations,
    refuseOutdated: store.refuseOutdated,
    unicode,
    limits: campaignLimits,
    standingOf: ({ workspaceId, createdBy }) => access.standing(workspaceId, createdBy, 'campaign'),
    time,
    timers,
    report,
    onChunkEnded: (state) => ended('campaign.chunk', state),
  });
  const suppressionList = createSuppressionService(store.suppressionList, { onRemoved: campaigns.refresh });
  const esims = createEsimService({ workspaces, clock, elapsed, timers });
  return {
    workspaces,
    operations,
    access,
    audit: createAuditService({ trail: store.audit, report }),
    costs: createCosts({
      ledger: store.ledger,
      campaigns: store.campaigns,
      workspaces,
      restoredAt: store.installation.restoredAt,
      clock,
    }),
    home: createAttentionService({ ledger: store.ledger, campaigns: store.campaigns, workspaces, clock }),
    history: createHistory(store),
    messages: createMessageService({
      drafts: createDrafts(keyv),
      operations,
      workspaces,
      unicode,
      checkDnd: dndChecker.checkDnd,
      filterSuppressed: suppressionList.filterListed,
      clock,
      timers,
    }),
    campaigns,
    suppressionList,
    otp: createOtpService({
      workspaces,
      operations,
      codeVault: createCodeVault({ keyv, clock, elapsed }),
      clock,
    }),
    dndChecker,
    numberLookup: createNumberLookup({ workspaces, clock, timers }),
    senderIds: createSenderIdService({ workspaces, operations, elapsed, timers }),
    phonebooks: createPhonebookService({ keyv, workspaces }),
    contacts: createContacts({ workspaces, operations, elapsed }),
    contactUploads: createContactUploads({ keyv, operations }),
    esims,
    esimOrders: createEsimOrders({ keyv, esims, operations, purchases: esimPurchases }),
    restoredAt: store.installation.restoredAt,
    dialect,
    unicode,
    contactDeletion: dialect.contactDeleteBy !== undefined,
    esimPurchases,
  };
}
