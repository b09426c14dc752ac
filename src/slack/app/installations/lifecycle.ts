import { withOrigin } from '../../../lib/request-origin.ts';
import type { SlackInstallation, SlackInstallations } from '../../../store/workspaces/slack-installations.ts';
import type { ProgramContext } from '../../client/slack-context.ts';
import type { Leases } from './leases.ts';
import type { ServingInstallations } from './serving-installations.ts';

/** What Slack says of an installation's end. */
interface InstallationEnd {
  kind: 'uninstalled' | 'revoked';
  /** The enterprise's id, or the workspace's. */
  ownerId: string;
  /** When it happened, by Slack's clock. */
  at: Date;
  /** The bot users whose tokens were revoked. */
  botUserIds?: readonly string[] | undefined;
}

/** In milliseconds. Slack's clock and the machine's may differ; within this, Slack is asked. */
const clockToleranceMs = 60_000;
/** How long something of a removed workspace may be under way, in milliseconds: longer than any request takes. */
const underWayMs = 10 * 60_000;

type Removal = Awaited<ReturnType<SlackInstallations['removals']>>[number];

interface LifecycleDeps {
  serving: ServingInstallations;
  leases: Leases;
  /** Asks Slack whether a token is still accepted. Slack: auth.test. */
  isAccepted: (token: string) => Promise<boolean>;
}

export type Lifecycle = ReturnType<typeof createLifecycle>;

/** How installations begin and end. */
export function createLifecycle(program: ProgramContext, deps: LifecycleDeps) {
  const { slackInstallations: installations } = program.store;
  const { leases } = deps;

  async function forgetRemoved(removals: readonly Removal[]): Promise<void> {
    for (const removal of removals) {
      await leases.with(removal.ownerId, () => forgetAgain(program, deps, removal));
    }
  }

  /** One change of an installation at a time. What it records says whether a person or Slack caused it. */
  function from<Result>(
    surface: 'install' | 'slack',
    ownerId: string,
    work: () => Promise<Result>,
  ): Promise<Result> {
    return withOrigin({ surface }, () => leases.with(ownerId, work));
  }

  return {
    /** Stores an installation. Returns whether it is the owner's first. */
    install: (installation: SlackInstallation): Promise<boolean> =>
      from('install', installation.ownerId, () => install(program, deps, installation)),

    /** Ends an installation: its workspaces are forgotten at once. Not for an event from before the installation. */
    end: (event: InstallationEnd): Promise<void> =>
      from('slack', event.ownerId, () => remove(program, deps, event)),

    /** Completes interrupted work after a crash. Called before requests are received. */
    resume: async (): Promise<void> => forgetRemoved(await installations.removals()),

    /** Forgets removed workspaces once more, when nothing that was under way can be any more. Called every minute. */
    sweep: async (): Promise<void> =>
      forgetRemoved((await installations.removals()).filter((removal) => isOver(program, removal))),
  };
}

async function install(
  program: ProgramContext,
  { serving }: LifecycleDeps,
  installation: SlackInstallation,
): Promise<boolean> {
  const { slackInstallations: installations } = program.store;
  const { ownerId, installedBy: userId, isEnterpriseWide, scopes } = installation;
  const previous = await installations.find(ownerId);
  // What a removal has left would be forgotten later, and with it what begins now.
  for (const { workspaceId } of await installations.removals(ownerId)) {
    await forget(program, workspaceId);
    await installations.endRemoval(workspaceId);
  }
  await installations.save(installation);
  serving.changed();
  await program.services.audit.record({
    workspaceId: ownerId,
    userId,
    action: previous === undefined ? 'installation.install' : 'installation.reinstall',
    subject: ownerId,
    outcome: 'done',
    details: { enterpriseWide: isEnterpriseWide, scopes: scopes.join(' ') },
  });
  return previous === undefined;
}

/** Deletes everything of a workspace. */
async function forget({ services, caches }: ProgramContext, workspaceId: string): Promise<void> {
  await services.forget(workspaceId);
  caches.drop(workspaceId);
}

async function remove(
  program: ProgramContext,
  { serving, isAccepted }: LifecycleDeps,
  event: InstallationEnd,
): Promise<void> {
  const { store, services, time, log } = program;
  const { kind, ownerId } = event;
  const present = await store.slackInstallations.find(ownerId);
  if (present === undefined || !(await isOfInstallation(event, present, isAccepted))) {
    return;
  }
  const workspaceIds = await store.slackInstallations.remove(ownerId, time.now());
  serving.changed();
  for (const workspaceId of workspaceIds) {
    await forget(program, workspaceId);
    const action = kind === 'revoked' ? 'installation.revoke' : 'installation.uninstall';
    await services.audit.record({ workspaceId, action, subject: ownerId, outcome: 'done' });
  }
  log.info({ owner: ownerId, kind }, 'the app was removed: everything of its workspaces was deleted');
}

/** An event that Slack repeats may arrive after the app was installed again. */
async function isOfInstallation(
  event: InstallationEnd,
  present: SlackInstallation,
  isAccepted: LifecycleDeps['isAccepted'],
): Promise<boolean> {
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

/** Called under the lease of the owner: it may have installed the app again, and ended the removal with that. */
async function forgetAgain(
  program: ProgramContext,
  { serving }: LifecycleDeps,
  removal: Removal,
): Promise<void> {
  const { slackInstallations: installations } = program.store;
  const { workspaceId, ownerId } = removal;
  const present = await installations.removals(ownerId);
  if (!present.some((each) => each.workspaceId === workspaceId)) {
    return;
  }
  serving.changed();
  // A workspace that another installation serves by now has begun afresh.
  if ((await serving.ofWorkspace(workspaceId)) === undefined) {
    await forget(program, workspaceId);
  }
  if (isOver(program, removal)) {
    await installations.endRemoval(workspaceId);
  }
}

function isOver({ time }: ProgramContext, { removedAt }: Removal): boolean {
  return time.now().getTime() - removedAt.getTime() > underWayMs;
}
