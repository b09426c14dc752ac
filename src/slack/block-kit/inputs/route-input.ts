import type { InputBlock } from '@slack/types';
import { readRoute, routes } from '../../../domain/messages/routes.ts';
import { option } from '../build.ts';
import { selectInput } from './fields.ts';

const options = Object.entries(routes).map(([value, { title }]) => option(title, value));

/** The routes of a message, with the chosen one explained beneath. A change updates the form: its fields follow the route. */
export function routeInput(blockId: string, actionId: string, chosen: string | undefined): InputBlock {
  const route = readRoute(chosen);
  return selectInput(blockId, 'Route', options, {
    actionId,
    chosen: route,
    hint: route && routes[route].meaning,
    dispatch: true,
  });
}
