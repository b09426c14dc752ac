import { type NumberList, readNumberList } from '../../../../services/numbers/number-list.ts';
import { context } from '../../../block-kit/build.ts';
import type { SlackMessage } from '../../../block-kit/message.ts';
import { type Markup, mrkdwn } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import { idempotencyKey } from '../../../middleware/idempotency-key.ts';
import { notConnectedMessage } from '../../../middleware/not-connected.ts';
import { numbersOfMessage } from '../../../middleware/numbers-of-message.ts';
import type { CommandRequest } from '../../../middleware/requests.ts';
import type { Router } from '../../../middleware/router/router.ts';
import { numbersOr } from '../../../middleware/unknown-subcommand.ts';
import { showProgress } from '../../../notifier/progress.ts';
import { correctionMessage } from '../correction.ts';
import { createRunDndCheck } from './check-runner.ts';
import { dndCheckHelp } from './command.ts';
import { registerDndCheckForm } from './form-listeners.ts';
import { faultOf, maxNumbers } from './form-numbers.ts';
import { reportMessage, sendToAction } from './report-views.ts';
import { checkingMessage, dndCheckView, editCheckAction } from './views.ts';

/** A reply can be replaced four times at most (Slack: response_url), so its progress is shown at each third. */
const progressUpdates = 3;

/** `/dnd-check`, and the shortcut *Check numbers*: the Do-Not-Disturb state of numbers, and the route that reaches each. */
export function registerDndCheck(router: Router, context: AppContext): void {
  const {
    services,
    navigation,
    settings: { commandPrefix },
  } = context;
  const { workspaces, messages } = services;
  const runCheck = createRunDndCheck(context);
  registerDndCheckForm(router, context, runCheck);

  async function check(call: CommandRequest, list: NumberList, note?: Markup): Promise<void> {
    const total = list.numbers.length;
    const show = (done: number) => call.reply(checkingMessage(done, total));
    await show(0);
    const progress = showProgress(show, Math.ceil(total / progressUpdates), total);
    const report = await runCheck(call.user, list, { id: call.requestId, progress: progress.report });
    await progress.settled();
    await call.reply(withNote(reportMessage(report), note));
  }

  async function onCommand(call: CommandRequest): Promise<void> {
    if ((await workspaces.connection(call.user.workspaceId)) === undefined) {
      await call.reply(notConnectedMessage(call.user, commandPrefix));
      return;
    }
    if (call.text.trim() === '') {
      await call.open(dndCheckView('', { inChannel: false, channelId: call.channelId }, call.channelId));
      return;
    }
    const { country } = await workspaces.defaults(call.user.workspaceId);
    const read = await readNumberList({ typed: call.text }, { country, max: maxNumbers });
    await (read.ok
      ? check(call, read.list)
      : call.reply(correctionMessage(faultOf(read.faults), editCheckAction, call.text.trim())));
  }

  router.command('dnd-check', 'look_up', onCommand, () => dndCheckHelp(commandPrefix), numbersOr());

  router.shortcut('check_numbers', 'look_up', async (call) => {
    const found = await numbersOfMessage(call, context);
    if (found !== undefined) {
      await check(call, { numbers: found.numbers, duplicates: 0, rejected: [] }, found.note);
    }
  });

  router.action(sendToAction, 'send', async (call) => {
    const { workspaceId, userId } = call.user;
    const { draft } = await messages.find(workspaceId, call.value, userId);
    if (draft === undefined) {
      throw new UserError(mrkdwn`This result is too old. Check the number again.`);
    }
    const { recipients, route } = draft.content;
    const view = await navigation.messageForm(
      call.user,
      { recipients: recipients.join('\n'), route },
      { draftId: idempotencyKey(workspaceId, call.requestId), origin: call.channelId },
    );
    await (call.view === undefined ? call.open(view) : call.push(view));
  });
}

function withNote(report: SlackMessage, note: Markup | undefined): SlackMessage {
  return note === undefined ? report : { ...report, blocks: [context(note), ...report.blocks] };
}
