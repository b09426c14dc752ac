import { readIccid } from '../../rules/iccid.ts';
import { start } from '../blocks/paging.ts';
import { esimActions } from '../esim/action-ids.ts';
import { plansShower } from '../esim/show-plans.ts';
import type { Asker, CommandCall, Listening } from '../listening/calls.ts';
import { above, here, type Show } from '../listening/show.ts';
import { notConnected } from '../settings/not-connected.ts';
import type { Tools } from '../tools.ts';
import { esimStatusHelp } from './command.ts';
import { listenToHandingOver } from './handing-over-listeners.ts';
import { createLookup, keyGone } from './lookup.ts';
import { pickerCallback, pickerView, readPicked } from './picker-view.ts';
import { loadingStatus, statusView } from './status-view.ts';

/** Everything of `/esim-status`. */
export function listenToEsimStatus(listening: Listening, tools: Tools): void {
  const { workspaces, esims } = tools.services;
  const lookUp = createLookup(tools.services);
  const showPlans = plansShower(esims);
  listenToHandingOver(listening, tools, lookUp);

  async function viewOf({ workspaceId }: Asker, iccid: string) {
    const status = await esims.status(workspaceId, iccid);
    if (status === 'not_connected') {
      throw keyGone();
    }
    return statusView(status);
  }

  async function showStatus(show: Show, asker: Asker, iccid: string): Promise<void> {
    const replace = await show(loadingStatus());
    await replace(await viewOf(asker, iccid));
  }

  async function handle(call: CommandCall): Promise<void> {
    if ((await workspaces.connection(call.asker.workspaceId)) === undefined) {
      await call.reply(notConnected(call.asker, tools.commandPrefix));
      return;
    }
    const typed = call.text.trim();
    const read = readIccid(typed);
    if (read.ok) {
      await showStatus(call.open, call.asker, read.iccid);
    } else {
      await call.open(typed === '' ? pickerView() : pickerView(typed, read.reason));
    }
  }

  listening.command('esim-status', handle, () => esimStatusHelp(tools.commandPrefix));

  listening.action(esimActions.openStatus, async ({ open }) => {
    await open(pickerView());
  });

  listening.submission(pickerCallback, async ({ asker, values }) => {
    const picked = readPicked(values);
    return 'errors' in picked
      ? picked
      : { view: loadingStatus(), afterwards: () => viewOf(asker, picked.iccid) };
  });

  listening.action(esimActions.status, async (call) =>
    showStatus(above(call), call.asker, await lookUp(call.asker, call.value)),
  );

  listening.action(esimActions.statusHere, async (call) =>
    showStatus(here(call), call.asker, await lookUp(call.asker, call.value)),
  );

  listening.action(esimActions.topUpThis, async (call) => {
    const iccid = await lookUp(call.asker, call.value);
    await showPlans(here(call), call.asker, { use: { deed: 'top_up', iccid }, position: start });
  });
}
