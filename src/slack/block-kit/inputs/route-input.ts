import type { InputBlock } from '@slack/types';
import { readRoute, routes } from '../../../domain/messages/routes.ts';
import { input, option } from '../build.ts';

const options = Object.entries(routes).map(([value, { title }]) => option(title, value));

/** The routes of a message, with the chosen one explained beneath. A change updates the form: its fields follow the route. */
export function routeInput(blockId: string, actionId: string, chosen: string | undefined): InputBlock {
  const route = readRoute(chosen);
  const initial = options.find(({ value }) => value === route);
  return input(
    blockId,
    'Route',
    {
      type: 'static_select',
      action_id: actionId,
      options,
      ...(initial === undefined ? {} : { initial_option: initial }),
    },
    { dispatch: true, ...(route === undefined ? {} : { hint: routes[route].meaning }) },
  );
}
