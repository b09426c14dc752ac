import { Secret } from '../../../src/lib/secret.ts';
import { createEsimOperations } from '../../../src/provider/esims/esims.ts';
import { systemTiming } from '../../../src/provider/http/timing.ts';
import type { Transport } from '../../../src/provider/http/transport.ts';
import { createRequestSender } from '../../../src/provider/request/request-sender.ts';
import { iccid } from '../../support/provider/esim-server.ts';
import { testKey } from '../../support/provider/provider-client.ts';

/** The eSIM operations over a transport that returns a token, and one given response to every other request. */
export function clientWithResponse(status: number, body: Uint8Array) {
  const authenticated = Buffer.from(JSON.stringify({ token: 'the-token-itself' }));
  const paths: string[] = [];
  const transport: Transport = {
    send: async ({ path }) => {
      const isAuthentication = path === '/api/esim/authenticate';
      if (!isAuthentication) {
        paths.push(path);
      }
      return isAuthentication
        ? { phase: 'responding', head: { status: 200, headers: {} }, body: authenticated }
        : { phase: 'responding', head: { status, headers: {} }, body: Buffer.from(body) };
    },
    close: async () => {},
  };
  const esims = createEsimOperations(createRequestSender(transport, new Secret(testKey)), {
    baseUrl: new URL('https://api.example.com'),
    totalTimeout: 60_000,
    timing: systemTiming,
    tokenCache: undefined,
  });
  return {
    paths,
    qrCode: () => esims.qrCode({ iccid }),
    create: () => esims.create({ productId: 'p' }),
    purchase: () => esims.purchase({ iccid, productId: 'p', iso3: 'NGA' }),
    plans: () => esims.plans(),
    otherReads: () => [
      esims.plansDeprecated(),
      esims.profile({ iccid }),
      esims.usage({ iccid }),
      esims.planStatus({ iccid }),
      esims.list(),
      esims.countries(),
    ],
  };
}
