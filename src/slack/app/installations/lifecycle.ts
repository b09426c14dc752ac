import { withOrigin } from '../../../lib/request-origin.ts';
import type { SlackInstallation } from '../../../store/slack-installations/installation-record.ts';
import type { SlackInstallations } from '../../../store/slack-installations/slack-installations.ts';
import type { ProgramContext } from '../../client/slack-context.ts';
import type { Covering } from './covering.ts';
import type { Leases } from './tokens/leases.ts';

/** What Slack says of an installation's end. */
export interface InstallationEnd {
  kind: 'uninstalled' | 'revoked';
  /** The enterprise's id, or the workspace's. */
  ownerId: string;
  /** When it happened, by Slack's clock. */
  at: Date;
  /** The bot users whose tokens were revoked. */
  botUserIds?: readonly string[] | undefined;
}

/** How installations begin and end. */
export interface Lifecycle {
  /** Stores an installation. Returns whether it is the owner's first. */
  install(installation: SlackInstallation): Promise<boolean>;
  /** Ends an installation: its workspaces are forgotten at once. Not for an event from before the installation. */
  end(event: InstallationEnd): Promise<void>;
  /** Completes what a crash interrupted. Called before requests are received. */
  resume(): Promise<void>;
  /** Forgets removed workspaces once more, when nothing that was under way can be any more. Called every minute. */
  sweep(): Promise<void>;
}

/** In milliseconds. Slack's clock and the machine's may differ; within this, Slack is asked. */
const clockToleranceMs = 60_000;
/** How long something of a removed workspace may be under way, in milliseconds: longer than any request takes. */
const underWayMs = 10 * 60_000;

type Removal = Awaited<ReturnType<SlackInstallations['removals']>>[number];

export function createLifecycle(
  { store, services, forgetting, time: { now: clock }, log }: ProgramContext,
  parts: {
    covering: Covering;
    leases: Leases;
    /** Asks Slack whether a token is still accepted. Slack: auth.test. */
    isAccepted: (token: string) => Promise<boolean>;
  },
): Lifecycle {
  const { slackInstallations: installations } = store;
  const { audit } = services;
  const { covering, leases, isAccepted } = parts;

  /** Deletes everything of a workspace. */
  async function forget(workspaceId: string): Promise<void> {
    await services.forget(workspaceId);
    forgetting.forget(workspaceId);
  }

  /** An event that Slack repeats may arrive after the app was installed again. */
  async function isOfInstallation(event: InstallationEnd, present: SlackInstallation): Promise<boolean> {
    if (event.botUserIds !== undefined && !event.botUserIds.includes(present.botUserId)) {
      return false;
    }
    const sinceInstall = event.at.getTime() - present.installedAt;
    if (Math.abs(sinceInstall) > clockToleranceMs) {
      return sinceInstall > 0;
    }
    return isAccepted(present.token).then(
      (accepted) => !accepted,
      () => sinceInstall >= 0,
    );
  }

  async function remove(event: InstallationEnd): Promise<void> {
    const { kind, ownerId } = event;
    const present = await installations.find(ownerId);
    if (present === undefined || !(await isOfInstallation(event, present))) {
      return;
    }
    const workspaceIds = await installations.remove(ownerId, clock());
    covering.changed();
    for (const workspaceId of workspaceIds) {
      await forget(workspaceId);
      const action = kind === 'revoked' ? 'installation.revoke' : 'installation.uninstall';
      await audit.record({ workspaceId, action, subject: ownerId, outcome: 'done' });
    }
    log.info({ owner: ownerId, kind }, 'the app was removed: everything of its workspaces was deleted');
  }

  const isOver = ({ removedAt }: Removal) => clock().getTime() - removedAt.getTime() > underWayMs;

  /** Called under the lease of the owner: it may have installed the app again, and ended the removal with that. */
  async function forgetAgain(removal: Removal): Promise<void> {
    const { workspaceId, ownerId } = removal;
    const present = await installations.removals(ownerId);
    if (!present.some((each) => each.workspaceId === workspaceId)) {
      return;
    }
    covering.changed();
    // A workspace that another installation serves by now has begun afresh.
    if ((await covering.ofWorkspace(workspaceId)) === undefined) {
      await forget(workspaceId);
    }
    if (isOver(removal)) {
      await installations.endRemoval(workspaceId);
    }
  }

  async function forgetRemoved(removals: readonly Removal[]): Promise<void> {
    for (const removal of removals) {
      await leases.with(removal.ownerId, () => forgetAgain(removal));
    }
  }

  /** One change of an installation at a time. What it records says whether a person or Slack gave rise to it. */
  function from<Result>(
    surface: 'install' | 'slack',
    ownerId: string,
    work: () => Promise<Result>,
  ): Promise<Result> {
    return withOrigin({ surface }, () => leases.with(ownerId, work));
  }

  return {
    install: (installation) =>
      from('install', installation.ownerId, async () => {
        const { ownerId, installedBy: userId, isEnterpriseWide, scopes } = installation;
        const former = await installations.find(ownerId);
        // What a removal has left would be forgotten later, and with it what begins now.
        for (const { workspaceId } of await installations.removals(ownerId)) {
          await forget(workspaceId);
          await installations.endRemoval(workspaceId);
        }
        await installations.save(installation);
        covering.changed();
        await audit.record({
          workspaceId: ownerId,
          userId,
          action: former === undefined ? 'installation.install' : 'installation.reinstall',
          subject: ownerId,
          outcome: 'done',
          details: { enterpriseWide: isEnterpriseWide, scopes: scopes.join(' ') },
        });
        return former === undefined;
      }),

    end: (event) => from('slack', event.ownerId, () => remove(event)),

    resume: async () => forgetRemoved(await installations.removals()),

    sweep: async () => forgetRemoved((await installations.removals()).filter(isOver)),
  };
}
