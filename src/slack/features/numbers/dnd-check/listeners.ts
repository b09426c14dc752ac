import { type NumberList, readNumberList } from '../../../../services/numbers/number-list.ts';
import { context } from '../../../block-kit/build.ts';
import type { Message } from '../../../block-kit/message.ts';
import { type Markup, mrkdwn } from '../../../block-kit/text.ts';
import type { CommandCall, Listening } from '../../../middleware/calls.ts';
import type { Tools } from '../../../middleware/context.ts';
import { Refusal, troubleMessage } from '../../../middleware/errors.ts';
import { requestKey } from '../../../middleware/idempotency-key.ts';
import { notConnected } from '../../../middleware/require-connection.ts';
import { showProgress } from '../../../notifier/progress.ts';
import { composeView } from '../../messages/compose-view.ts';
import { numbersOfMessage } from '../numbers-of-message.ts';
import { createChecking } from './checking.ts';
import { dndCheckHelp } from './command.ts';
import { listenToCheckForm } from './form-listeners.ts';
import { mostChecked, nothingChecked } from './reading.ts';
import { reportMessage, sendToAction } from './report-views.ts';
import { checkingMessage, checkView } from './views.ts';

/** A reply can be replaced a few times only (Slack: response_url): it shows progress two times on the way. */
const partsOfReply = 3;

/** `/dnd-check`, and *Check numbers* of a message: who is on Do-Not-Disturb, and which route reaches whom. */
export function listenToDndCheck(listening: Listening, tools: Tools): void {
  const { services, commandPrefix } = tools;
  const { workspaces, messaging } = services;
  const checking = createChecking(tools);
  listenToCheckForm(listening, tools, checking);

  async function check(call: CommandCall, list: NumberList, note?: Markup): Promise<void> {
    const total = list.numbers.length;
    const show = (done: number) => call.reply(checkingMessage(done, total));
    await show(0);
    const progress = showProgress(show, Math.ceil(total / partsOfReply), total);
    const report = await checking.check(call.asker, list, { id: call.requestId, progress: progress.at });
    await progress.settled();
    await call.reply(withNote(reportMessage(report), note));
  }

  async function onCommand(call: CommandCall): Promise<void> {
    if ((await workspaces.connection(call.asker.workspaceId)) === undefined) {
      await call.reply(notConnected(call.asker, commandPrefix));
      return;
    }
    if (call.text.trim() === '') {
      await call.open(checkView('', { inChannel: false, channelId: call.channelId }, call.channelId));
      return;
    }
    const { country } = await workspaces.defaults(call.asker.workspaceId);
    const read = await readNumberList({ typed: call.text }, { country, most: mostChecked });
    await (read.ok ? check(call, read.list) : call.reply(troubleMessage(nothingChecked(read.faults))));
  }

  listening.command('dnd-check', onCommand, () => dndCheckHelp(commandPrefix));

  listening.shortcut('check_numbers', async (call) => {
    const found = await numbersOfMessage(call, tools);
    if (found !== undefined) {
      await check(call, { numbers: found.numbers, duplicates: 0, bad: [] }, found.note);
    }
  });

  listening.action(sendToAction, async (call) => {
    const { workspaceId, personId } = call.asker;
    const { draft } = await messaging.find(workspaceId, call.value, personId);
    if (draft === undefined) {
      throw new Refusal(mrkdwn`This check is more than a day old. Check the numbers again.`);
    }
    const view = composeView(
      {
        recipients: draft.content.recipients.join('\n'),
        senderId: draft.content.senderId,
        route: draft.content.route,
        text: draft.content.text,
        place: { inChannel: false, channelId: call.channelId },
      },
      {
        draftId: requestKey(workspaceId, call.requestId),
        ...(call.channelId === undefined ? {} : { origin: call.channelId }),
      },
    );
    await (call.view === undefined ? call.open(view) : call.push(view));
  });
}

function withNote(report: Message, note: Markup | undefined): Message {
  return note === undefined ? report : { ...report, blocks: [context(note), ...report.blocks] };
}
