import type { TestContext } from 'node:test';
import { answer, type Behaviour, inTurn, type RawServer, type Received } from '../http/raw-server.ts';
import { serve } from './provider-client.ts';

export const iccid = '8923400000000000017';
export const smdp = 'rsp.example.com';
export const wholeCode = `LPA:1$${smdp}$K2-9F3X7`;

export const sim = {
  id: 4101,
  iccid,
  productId: 'ng-1gb-7d',
  imsi: '621200000000017',
  state: 'RELEASED',
  lastOperationDate: '2026-03-04 09:30:00',
  activationCode: 'K2-9F3X7',
  smdp,
};

export const plan = {
  productId: 'ng-1gb-7d',
  name: 'Nigeria 1 GB',
  dataUsageAllowance: 1.5,
  timeAllowance: 7,
  country: 'Nigeria',
  iso3: 'NGA',
  region: 'Africa',
  dataPlanType: 'LOCAL',
};

export const envelope = (data: unknown) => ({
  status: 'Success',
  code: 200,
  data,
  message: 'Done',
  timestamp: '2026-03-04 09:30:05',
});

/** A JWT with an optional expiry in seconds since 1970. */
export function jwt(name: string, exp?: number): string {
  const part = (claims: object) => Buffer.from(JSON.stringify(claims)).toString('base64url');
  return [part({ alg: 'HS256' }), part({ sub: name, ...(exp !== undefined && { exp }) }), 'c2ln'].join('.');
}

export interface EsimServer extends RawServer {
  /** Requests for a token. */
  readonly authentications: () => Received[];
  /** All other requests. */
  readonly asked: () => Received[];
}

const isAuthentication = ({ path }: Received) => path === '/api/esim/authenticate';

/** A server for one test that issues the tokens `esim-token-1`, `esim-token-2` …, with a behaviour for all other requests. */
export async function serveEsims(
  t: TestContext,
  other: Behaviour,
  authenticate: Behaviour = countedTokens(),
): Promise<EsimServer> {
  const server = await serve(t, (socket, received) =>
    (isAuthentication(received) ? authenticate : other)(socket, received),
  );
  return {
    ...server,
    authentications: () => server.requests.filter(isAuthentication),
    asked: () => server.requests.filter((received) => !isAuthentication(received)),
  };
}

export function countedTokens(): Behaviour {
  let count = 0;
  return (socket, received) => {
    count += 1;
    answer(200, { token: `esim-token-${count}` })(socket, received);
  };
}

/** Selects a behaviour by the beginning of the path; otherwise responds with 404. */
export function byPath(behaviours: Readonly<Record<string, Behaviour>>): Behaviour {
  return (socket, received) => {
    const [, behaviour = answer(404, { message: 'No such thing' })] =
      Object.entries(behaviours).find(([path]) => received.path.startsWith(path)) ?? [];
    behaviour(socket, received);
  };
}

export const refusal: Behaviour = answer(401, { code: 401, message: 'The token has expired' });

/** Refuses the first requests with 401, then applies another behaviour. */
export const afterRefusals = (count: number, then: Behaviour): Behaviour => {
  const behaviours: [Behaviour, ...Behaviour[]] = [then];
  behaviours.unshift(...Array<Behaviour>(count).fill(refusal));
  return inTurn(...behaviours);
};
