import { countryNamed } from '../../../domain/phone/country-names.ts';
import { countryOptions } from '../../block-kit/country-names.ts';
import { type Position, positionSchema, start } from '../../block-kit/paging.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { ActionCall, Asker, CommandCall, Listening } from '../../middleware/calls.ts';
import type { Tools } from '../../middleware/context.ts';
import { troubleMessage } from '../../middleware/errors.ts';
import { notConnected } from '../../middleware/require-connection.ts';
import { here, type Show } from '../../middleware/show.ts';
import { esimActions } from '../../navigation/esims.ts';
import { esimHelp, readEsimCommand } from './command.ts';
import {
  countriesCallback,
  countriesView,
  readCountryQuery,
  searchCountriesAction,
  turnCountries,
} from './countries-view.ts';
import { listView, loadingList, turnList } from './list-view.ts';
import {
  filterOf,
  planCountryAction,
  plansCallback,
  plansView,
  planTypeAction,
  readQuestion,
  turnPlans,
} from './plans-view.ts';
import { plansShower } from './show-plans.ts';

interface CountryQuestion {
  query: string;
  position: Position;
}

/** `/esim`: what there is to look at and to search. */
export function listenToLooking(listening: Listening, { services, commandPrefix }: Tools): void {
  const { workspaces, esims } = services;

  const showPlans = plansShower(esims);

  async function showList(show: Show, { workspaceId }: Asker, position: Position): Promise<void> {
    const replace = await show(loadingList());
    await replace(listView(position, await esims.list(workspaceId, position.page)));
  }

  async function showCountries(show: Show, { workspaceId }: Asker, question: CountryQuestion): Promise<void> {
    const replace = await show(countriesView(question, 'loading'));
    await replace(countriesView(question, await esims.countries(workspaceId)));
  }

  async function handle(call: CommandCall): Promise<void> {
    const { asker, open } = call;
    if ((await workspaces.connection(asker.workspaceId)) === undefined) {
      await call.reply(notConnected(asker, commandPrefix));
      return;
    }
    const command = readEsimCommand(call.text);
    switch (command.kind) {
      case 'plans':
        return showPlans(open, asker, { ...command, position: start });
      case 'list':
        return showList(open, asker, start);
      case 'countries':
        return showCountries(open, asker, { query: command.query, position: start });
      case 'unknown':
        await call.reply(
          troubleMessage(
            mrkdwn`${command.problem} Type \`/${commandPrefix}esim help\` to see what there is.`,
          ),
        );
    }
  }

  listening.command('esim', handle, () => esimHelp(commandPrefix));

  listening.action(esimActions.openPlans, async (call) => {
    const country = countryNamed(call.value);
    await showPlans(here(call), call.asker, {
      use: { deed: 'any' },
      position: start,
      ...(country && { country }),
    });
  });
  listening.action(esimActions.openList, async (call) => showList(here(call), call.asker, start));
  listening.action(esimActions.openCountries, async (call) =>
    showCountries(here(call), call.asker, { query: '', position: start }),
  );

  /** Hears the filters of a view, which lead to the start, and its *Previous* and *Next*, which carry where they lead. */
  function hear(
    filters: readonly string[],
    turns: { previous: string; next: string },
    show: (call: ActionCall, position: Position) => Promise<void>,
  ): void {
    for (const actionId of filters) {
      listening.action(actionId, (call) => show(call, start));
    }
    for (const actionId of Object.values(turns)) {
      listening.action(actionId, (call) => show(call, positionSchema.parse(JSON.parse(call.value))));
    }
  }

  hear([planCountryAction, planTypeAction], turnPlans, async (call, position) => {
    if (call.view !== undefined) {
      const { values, metadata } = call.view;
      await showPlans(here(call), call.asker, readQuestion(values, metadata, position));
    }
  });
  hear([], turnList, (call, position) => showList(here(call), call.asker, position));
  hear([searchCountriesAction], turnCountries, async (call, position) => {
    const query = readCountryQuery(call.view?.values ?? {});
    await showCountries(here(call), call.asker, { query, position });
  });

  listening.submission(plansCallback, async ({ asker, values, metadata }) => {
    const question = readQuestion(values, metadata, start);
    return {
      view: plansView(question, 'loading'),
      afterwards: async () => plansView(question, await esims.plans(asker.workspaceId, filterOf(question))),
    };
  });

  listening.submission(countriesCallback, async ({ asker, values }) => {
    const question = { query: readCountryQuery(values), position: start };
    return {
      view: countriesView(question, 'loading'),
      afterwards: async () => countriesView(question, await esims.countries(asker.workspaceId)),
    };
  });

  listening.options(planCountryAction, async ({ query }) => countryOptions(query, { withEvery: true }));
}
