import { z } from 'zod';
import type { ApprovalDecision } from '../../../services/approvals/approvals.ts';
import type { Approval } from '../../../store/approvals/approvals.ts';
import { section } from '../../block-kit/build.ts';
import { requestName, requestWish } from '../../block-kit/descriptions/approval-request.ts';
import { describeChanges } from '../../block-kit/descriptions/changes.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import { textField } from '../../kit/fields.ts';
import { defineForm } from '../../kit/form.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import { addToRefusal } from '../../middleware/explain-refusal.ts';
import type { ActionRequest, User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import {
  approvalActions,
  approvalMessage,
  approvalView,
  approveValue,
  type CurrentRequest,
  requestEndedMessage,
} from './approval-view.ts';
import { registerApprovalSettings } from './settings.ts';

/** Requests for approval: asked for elsewhere, decided here. */
export function registerApprovals(router: Router, context: AppContext): void {
  const { approvals } = context.services;
  const rejection = createRejection(context);
  rejection.register(router);
  registerApprovalSettings(router, context);

  router.action(openActions.approval, 'use', async ({ user, value, push }) => {
    const approval = await find(context, user, value);
    if (!user.permissions.has('approve') && !isOwn(user, approval)) {
      throw new UserError(requestGone);
    }
    // Its message in the channel may be from before quiet hours.
    const seen =
      approval.kind === 'campaign' && approval.state === 'waiting'
        ? await context.services.campaigns.approvals.factsOfRequest(approval)
        : undefined;
    const current = seen && { at: context.time.now(), seen, changes: [] };
    await push(approvalView(user, approval, current));
  });

  for (const action of [approvalActions.approve, approvalActions.approveForMorning]) {
    router.action(action, 'approve', async (call) => {
      const { id, morning, ...shown } = approveValue.parse(JSON.parse(call.value));
      const startAt = morning === undefined ? undefined : new Date(morning);
      const decision = await approvals
        .approve({ ...decider(call.user, id), ...shown, startAt })
        .catch(addToRefusal('The request is still waiting.'));
      if (decision.kind === 'not_as_shown') {
        const { approval, changes, seen } = decision;
        if (!(await showRequest(call, approval, { at: context.time.now(), seen, changes }))) {
          throw new UserError(
            mrkdwn`${describeChanges(changes)} The request is still waiting. Open it from Home to decide.`,
          );
        }
        return;
      }
      if (decision.kind === 'done' && decision.operation !== undefined) {
        await context.notifier.notify(decision.operation);
      }
      await show(call, decision);
    });
  }

  router.action(approvalActions.withdraw, 'use', async (call) => {
    const decision = await approvals.withdraw(decider(call.user, call.value));
    if (decision.kind === 'gone') {
      throw new UserError(withdrawGone);
    }
    await show(call, decision);
  });

  router.action(approvalActions.reject, 'approve', async (call) => {
    const approval = await find(context, call.user, call.value);
    if (approval.state !== 'waiting') {
      await show(call, { kind: 'ended', approval });
    } else if (isOwn(call.user, approval)) {
      decided({ kind: 'own', approval });
    } else {
      await call.push(await rejection.view(call.user, { id: approval.id }));
    }
  });
}

const decider = ({ workspaceId, userId }: User, id: string) => ({ workspaceId, userId, id });

async function find(
  { services }: AppContext,
  { workspaceId }: Pick<User, 'workspaceId'>,
  id: string,
): Promise<Approval> {
  const approval = await services.approvals.find(workspaceId, id);
  if (approval === undefined) {
    throw new UserError(requestGone);
  }
  return approval;
}

/** Whether the user asked for it, or owns the campaign or eSIM it is about. */
function isOwn({ userId }: User, { requestedBy, owner }: Approval): boolean {
  return userId === requestedBy || userId === owner;
}

/** Shows the request's new state in the place where it was decided. */
async function show(call: ActionRequest, decision: ApprovalDecision): Promise<void> {
  await showRequest(call, decided(decision), undefined);
}

/** Resolves with false if the person closed the modal. */
async function showRequest(
  { user, view, channelId, replaceMessage, open }: ActionRequest,
  approval: Approval,
  now: CurrentRequest | undefined,
): Promise<boolean> {
  if (view !== undefined) {
    return view.replace(approvalView(user, approval, now));
  }
  if (channelId === approval.channelId) {
    await replaceMessage(approvalMessage(approval, now));
  } else if (approval.state === 'waiting') {
    await open(approvalView(user, approval, now));
  } else {
    await replaceMessage(requestEndedMessage(approval));
  }
  return true;
}

/** Returns the request; throws a UserError that says why it was not decided. */
function decided(decision: ApprovalDecision): Approval {
  switch (decision.kind) {
    case 'done':
    case 'ended':
      return decision.approval;
    case 'gone':
      throw new UserError(requestGone, { isFinal: true });
    case 'own':
      throw new UserError(
        mrkdwn`Somebody else has to decide this: you asked for it, or the campaign is yours.`,
      );
  }
}

/** The same answer for another person's request, so that an id alone reveals nothing. */
const requestGone = mrkdwn`This request is gone, or isn’t for you.`;
const withdrawGone = mrkdwn`This request is gone, or isn’t yours. Only the person who asked can withdraw it.`;

/** The reason of a rejection, which ends the request. */
function createRejection(context: AppContext) {
  const { approvals } = context.services;
  return defineForm({
    id: 'approval_reject_reason',
    title: 'Rejection',
    submit: 'Reject',
    close: 'Back',
    needs: 'approve',
    meta: z.object({ id: z.string() }),
    fields: {
      reason: textField('Reason', {
        multiline: true,
        focus: true,
        max: 500,
        hint: 'Shown to the person who asked, and in the channel.',
      }),
    },
    load: (user, { id }) => find(context, user, id),
    above: ({ data: approval }) => [
      section(mrkdwn`*${requestName(approval)}*\nThis ends the request to ${requestWish(approval)}.`),
    ],
    async submitted({ user, meta: { id }, form }) {
      const reason = form.reason.trim();
      if (reason === '') {
        return { faults: { reason: 'Enter a reason.' } };
      }
      const decision = await approvals.reject({ ...decider(user, id), reason });
      return { view: approvalView(user, decided(decision)) };
    },
  });
}
