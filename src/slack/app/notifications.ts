import type { Log } from '../../lib/log.ts';
import type { Stopwatch } from '../../lib/time/clock.ts';
import type { Timers } from '../../lib/time/timers.ts';
import type { Services } from '../../services/services.ts';
import type { Store } from '../../store/store.ts';
import { createPosting } from '../client/posting.ts';
import type { WorkspaceClients } from '../client/workspace-clients.ts';
import { interruptedImportMessage } from '../features/campaigns/import/interrupted-import.ts';
import { createCreatorNotifier } from '../features/campaigns/progress/creator-notifier.ts';
import { ProgressMessages } from '../features/campaigns/progress/progress-messages.ts';
import { outcomeRenderers } from '../features/register-features.ts';
import { createNotifier } from '../notifier/notifier.ts';
import { createOutcomeNotifier } from '../notifier/outcome-notifier.ts';
import { createRestoredNotices } from '../notifier/restored-notices.ts';
import { createUserNotices } from '../notifier/user-notices.ts';

/** All that the app sends without being asked: each subject of the outbox has its notifier. */
export function createNotifications(options: {
  clients: WorkspaceClients;
  services: Services;
  store: Store;
  /** Returns the workspaces that the app is installed in. */
  workspaceIds: () => Promise<readonly string[]>;
  elapsed: Stopwatch;
  timers: Timers;
  log: Log;
}) {
  const { clients, services, store, workspaceIds, elapsed, timers, log } = options;
  const { ledger, outbox, installation } = store;
  const { campaigns } = services;
  const posting = createPosting({ clients, log });
  const outcomes = createOutcomeNotifier({
    posting,
    ledger,
    outbox,
    log,
    outcomeRenderers,
    recipients: services.messages.recipients,
    shownNumbers: services.messages.shownNumbers,
  });
  const creatorNotifier = createCreatorNotifier({ posting, campaigns, outbox, log });
  const progressMessages = new ProgressMessages({
    clients,
    posting,
    campaigns,
    outbox,
    creatorNotifier,
    timers,
    elapsed,
    log,
  });
  const imports = createUserNotices({ posting, outbox, log, contentOf: interruptedImportMessage });
  const restored = createRestoredNotices({
    installation,
    services,
    posting,
    outbox,
    workspaceIds,
    log,
  });
  const notify = createNotifier({
    outbox,
    deliver: {
      operation: outcomes.deliver,
      campaign: (notice) => progressMessages.deliver(notice),
      campaign_news: creatorNotifier.deliver,
      import: imports,
      restored: restored.deliver,
    },
    log,
  });
  return { outcomes, progressMessages, addRestored: restored.add, notify };
}
