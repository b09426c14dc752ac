import { WebAPIRateLimitedError } from '@slack/web-api';
import type { Services } from '../../../../services/services.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { type Notice, type NoticeKey, noticeName } from '../../../../store/outbox/notices.ts';
import type { NoticeTaking, Outbox } from '../../../../store/outbox/outbox.ts';
import type { SlackContext } from '../../../client/slack-context.ts';
import { NotInstalledError } from '../../../client/workspace-clients.ts';
import { endedUnseen, isOver, needsAttention } from '../status/campaign-state.ts';
import {
  addCreatorNotice,
  type MessagePlacement,
  notifyCreator,
  showCampaign,
  showReports,
  showUnscheduled,
} from './campaign-messages.ts';
import { nextUpdateAt, UpdateQueue } from './update-queue.ts';

/** After this many failed attempts, showing how a campaign ended is left to the outbox. */
const maxFailures = 5;
/** How long a campaign that does not change is remembered, in milliseconds: longer than updates are apart. */
const rememberedMs = 60_000;

/** A campaign with a progress message. */
interface TrackedCampaign extends MessagePlacement {
  /** The latest version. */
  campaign: Campaign;
  /** Whether it has changed since it was last shown. */
  changed: boolean;
  /** When the next update is due. Aborting its signal cancels it. */
  pending?: { at: number; cancel: AbortController } | undefined;
  /** Whether an update is due, and waits in the queue. */
  isDue?: boolean | undefined;
  /** The update under way. */
  update?: Promise<void> | undefined;
  /** When the last update began. */
  shownAt: number;
  shownState?: Campaign['state'];
  /** Whether its end was shown: later reports only change counts. */
  isEndShown?: boolean;
  /** Failed updates in a row. */
  failures: number;
}

/**
 * Shows each campaign in one message, from its start to its summary. It only watches: what Slack cannot take now is
 * shown later, and no campaign waits for it. Of several instances, the one shows a change that made it: who sends the
 * campaign, or where somebody clicked. What an instance did not show that ended, another one does.
 */
export class ProgressMessages {
  readonly #context: SlackContext;
  readonly #campaigns: Services['campaigns'];
  readonly #outbox: Outbox;
  readonly #queue: UpdateQueue<TrackedCampaign>;
  /** By the name of the campaign's notice. */
  readonly #tracked = new Map<string, TrackedCampaign>();
  /** Until when Slack's rate limit lasts, by workspace. */
  readonly #notBefore = new Map<string, number>();
  #stopWatching = () => {};
  #stopped = false;

  constructor(context: SlackContext) {
    this.#context = context;
    this.#campaigns = context.services.campaigns;
    this.#outbox = context.store.outbox;
    this.#queue = new UpdateQueue({
      isBefore: comesFirst,
      begin: (tracked) => this.#begin(tracked),
      timers: context.timers,
    });
  }

  /** Shows every change that this instance makes from now on. */
  start(): void {
    this.#stopWatching = this.#campaigns.watch((campaign) => this.#track(campaign));
  }

  /** Updates the messages that lag behind their campaign's state or reports. */
  async showUnshown(): Promise<void> {
    for (const campaign of await this.#campaigns.listUnshown()) {
      // A change that was seen meanwhile is newer.
      if (this.#tracked.get(keyOf(campaign))?.changed !== true) {
        this.#track(campaign);
      }
    }
  }

  /**
   * Shows how a campaign ended. Called for a notice of the outbox. One that waits in the queue here, as many have ended at
   * once, is shown then.
   */
  async deliver({ workspaceId, subjectId }: Notice): Promise<void> {
    const campaign = await this.#campaigns.findAny(workspaceId, subjectId);
    if (campaign !== undefined && this.#tracked.get(keyOf(campaign))?.isDue !== true) {
      await this.#showEnd({}, campaign);
    }
  }

  /** Shows the reports that came since the end of a campaign. Called for a notice of the outbox. */
  async deliverReports({ workspaceId, subjectId }: Notice): Promise<void> {
    const campaign = await this.#campaigns.findAny(workspaceId, subjectId);
    if (campaign !== undefined) {
      await this.#showReports(campaign);
    }
  }

  /** Begins no further updates, and resolves when those under way are done. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopWatching();
    this.#queue.stop();
    for (const { pending } of this.#tracked.values()) {
      pending?.cancel.abort();
    }
    await Promise.all([...this.#tracked.values()].map(({ update }) => update));
  }

  #track(campaign: Campaign): void {
    const key = keyOf(campaign);
    // A draft has a message only if it was scheduled before.
    const isNew =
      campaign.state === 'reading' || (campaign.state === 'ready' && campaign.message === undefined);
    if (this.#stopped || isNew) {
      return;
    }
    this.#forgetUnchanged();
    const tracked = this.#tracked.get(key) ?? { campaign, changed: true, shownAt: 0, failures: 0 };
    this.#tracked.set(key, tracked);
    tracked.campaign = campaign;
    tracked.changed = true;
    tracked.isEndShown = tracked.isEndShown === true && isOver(campaign);
    this.#schedule(tracked);
  }

  /** Another instance may show the rest of a campaign. */
  #forgetUnchanged(): void {
    const now = this.#context.time.elapsed();
    for (const [key, { changed, update, shownAt }] of this.#tracked) {
      if (!changed && update === undefined && now - shownAt > rememberedMs) {
        this.#tracked.delete(key);
      }
    }
  }

  /** Schedules the next update. A later change never postpones one that is scheduled. */
  #schedule(tracked: TrackedCampaign): void {
    if (this.#stopped || tracked.update !== undefined || tracked.isDue === true || !tracked.changed) {
      return;
    }
    const { campaign, shownAt, failures, pending } = tracked;
    const now = this.#context.time.elapsed();
    const at = nextUpdateAt(
      { stateChanged: hasNewState(tracked), shownAt, failures },
      { now, notBefore: this.#notBeforeOf(campaign) },
    );
    if (pending !== undefined && pending.at <= at) {
      return;
    }
    pending?.cancel.abort();
    const cancel = new AbortController();
    tracked.pending = { at, cancel };
    void this.#context.timers.sleep(at - now, cancel.signal).then(() => {
      if (!cancel.signal.aborted) {
        tracked.pending = undefined;
        tracked.isDue = true;
        this.#queue.add(tracked.campaign.workspaceId, tracked);
      }
    });
  }

  #notBeforeOf({ workspaceId }: Campaign): number {
    return this.#notBefore.get(workspaceId) ?? 0;
  }

  #begin(tracked: TrackedCampaign): void {
    tracked.isDue = false;
    const now = this.#context.time.elapsed();
    if (now < this.#notBeforeOf(tracked.campaign)) {
      this.#schedule(tracked);
      return;
    }
    tracked.changed = false;
    tracked.shownAt = now;
    tracked.update = this.#update(tracked);
  }

  async #update(tracked: TrackedCampaign): Promise<void> {
    try {
      this.#queue.shareWith(await this.#context.store.instances.living());
      const isShown = await this.#showNow(tracked);
      tracked.changed ||= !isShown;
      tracked.failures = isShown ? 0 : tracked.failures + 1;
    } catch (error) {
      if (error instanceof NotInstalledError) {
        // Shown again after its next change, if there is one.
        this.#tracked.delete(keyOf(tracked.campaign));
        tracked.changed = false;
        return;
      }
      tracked.changed = true;
      tracked.failures += 1;
      if (error instanceof WebAPIRateLimitedError) {
        const notBefore = this.#context.time.elapsed() + error.retryAfter * 1_000;
        this.#notBefore.set(
          tracked.campaign.workspaceId,
          Math.max(this.#notBeforeOf(tracked.campaign), notBefore),
        );
      }
      this.#context.log.warn(
        { err: error, campaign: tracked.campaign.id },
        'a campaign’s progress could not be shown yet',
      );
    }
    tracked.update = undefined;
    if (isLast(tracked.campaign) && (!tracked.changed || tracked.failures >= maxFailures)) {
      tracked.changed = false;
      tracked.failures = 0;
      tracked.isEndShown = isOver(tracked.campaign);
      if (!tracked.isEndShown) {
        this.#tracked.delete(keyOf(tracked.campaign));
      }
    }
    this.#schedule(tracked);
  }

  /** Resolves with false where another instance is showing it: it may not know of the change. */
  async #showNow(tracked: TrackedCampaign): Promise<boolean> {
    const { campaign, refused } = tracked;
    if (campaign.state === 'ready') {
      await showUnscheduled(this.#context, tracked, campaign);
    } else if (isOver(campaign)) {
      // Once its end is shown, the reports since then are. Another instance may be showing a state from before the end.
      const end = await this.#showEnd(tracked, campaign);
      if (end === 'held' || (end === 'gone' && !(await this.#showReports(campaign)))) {
        return false;
      }
    } else if (!refused && !(await this.#showActive(tracked, campaign))) {
      return false;
    }
    tracked.shownState = campaign.state;
    return true;
  }

  async #showActive(placement: MessagePlacement, campaign: Campaign): Promise<boolean> {
    const { workspaceId, id } = campaign;
    let shown: Campaign | undefined;
    const taking = await this.#outbox.hold(noticeOf(campaign), async (notice) => {
      // As it is now: another instance may have changed it since.
      shown = await this.#campaigns.findAny(workspaceId, id);
      if (shown !== undefined && shown.state !== 'ready') {
        await showCampaign(this.#context, placement, shown, notice);
        await this.#campaigns.setShown(shown);
      }
    });
    if (shown !== undefined && needsAttention(shown)) {
      await notifyCreator(this.#context, shown);
    }
    return taking === 'taken';
  }

  /** The notice makes instances take turns at showing it. Resolves with false while another instance does. */
  async #showReports({ workspaceId, id, createdBy, message, reportsVersion }: Campaign): Promise<boolean> {
    if (message === undefined || reportsVersion === undefined) {
      return true;
    }
    const key = { workspaceId, subject: 'campaign_reports', subjectId: id } as const;
    await this.#outbox.add({ ...key, userId: createdBy });
    const taking = await this.#outbox.deliver(key, async () => {
      // As it is now: another instance may know more.
      const campaign = await this.#campaigns.findAny(workspaceId, id);
      if (campaign !== undefined && isOver(campaign)) {
        await showReports(this.#context, campaign);
        await this.#campaigns.setShown(campaign);
      }
    });
    return taking === 'taken';
  }

  /** Resolves with `gone` where its end was shown before. */
  async #showEnd(placement: MessagePlacement, campaign: Campaign): Promise<NoticeTaking> {
    const isUnseen = endedUnseen(campaign);
    const taking = await this.#outbox.deliver(noticeOf(campaign), async (notice) => {
      const { workspaceId, id } = campaign;
      const ended = (await this.#campaigns.findAny(workspaceId, id)) ?? campaign;
      await showCampaign(this.#context, placement, ended, notice);
      await this.#campaigns.setShown(ended);
      if (isUnseen && !placement.refused) {
        await addCreatorNotice(this.#context, campaign);
      }
    });
    if (isUnseen && taking === 'taken') {
      await notifyCreator(this.#context, campaign);
    }
    return taking;
  }
}

/** Campaigns with a new state come first, then those whose message is the oldest. */
function comesFirst(one: TrackedCampaign, other: TrackedCampaign): boolean {
  const [isNew, otherIsNew] = [hasNewState(one), hasNewState(other)];
  return isNew === otherIsNew ? one.shownAt < other.shownAt : isNew;
}

function hasNewState({ campaign, shownState, isEndShown }: TrackedCampaign): boolean {
  return campaign.state !== shownState || (isLast(campaign) && isEndShown !== true);
}

/** Whether nothing more is shown of the campaign in its message. */
function isLast(campaign: Campaign): boolean {
  return campaign.state === 'ready' || isOver(campaign);
}

function noticeOf({ workspaceId, id }: Campaign): NoticeKey {
  return { workspaceId, subject: 'campaign', subjectId: id };
}

function keyOf(campaign: Campaign): string {
  return noticeName(noticeOf(campaign));
}
