import type { WebClient } from '@slack/web-api';
import type { Log } from '../../lib/log.ts';
import type { Services } from '../../services/services.ts';
import type { Store } from '../../store/store.ts';
import { createPosting } from '../client/posting.ts';
import { createCampaignNews } from '../features/campaigns/campaign-news.ts';
import { brokenOff } from '../features/campaigns/import-notices.ts';
import { createProgressMessages } from '../features/campaigns/progress-message.ts';
import { outcomeRenderers } from '../features/register-features.ts';
import { createNotifier } from '../notifier/notifier.ts';
import { createOutcomeNotifier } from '../notifier/outcome-notifier.ts';
import { createRestoredNotices } from '../notifier/restored-notices.ts';
import { createUserNotices } from '../notifier/user-notices.ts';

/** All that the app sends without being asked: each subject of the outbox has its notifier. */
export function createNotifications(options: {
  client: WebClient;
  services: Services;
  store: Store;
  teamId: () => Promise<string>;
  log: Log;
}) {
  const { client, services, store, teamId, log } = options;
  const { ledger, outbox, installation } = store;
  const { campaigns } = services;
  const posting = createPosting({ client, log });
  const outcomes = createOutcomeNotifier({
    posting,
    ledger,
    outbox,
    log,
    outcomeRenderers,
    shownNumbers: services.messaging.shownNumbers,
  });
  const news = createCampaignNews({ posting, campaigns, outbox, log });
  const progressMessages = createProgressMessages({ client, posting, campaigns, outbox, news, log });
  const imports = createUserNotices({ posting, outbox, log, contentOf: brokenOff });
  const restored = createRestoredNotices({
    installation,
    services,
    posting,
    outbox,
    workspaceId: teamId,
    log,
  });
  const notify = createNotifier({
    outbox,
    deliver: {
      operation: outcomes.deliver,
      campaign: progressMessages.deliver,
      campaign_news: news.deliver,
      import: imports,
      restored: restored.deliver,
    },
    log,
  });
  return { outcomes, progressMessages, addRestored: restored.add, notify };
}
