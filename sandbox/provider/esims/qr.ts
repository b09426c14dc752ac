import { encode } from 'fast-png';
import { encodeQR } from 'qr';
import type { JsonObject } from '../../lib/json.ts';
import { type FullReply, ok } from '../http/replies.ts';
import {
  findSim,
  iccidField,
  ownerOfIccid,
  ProviderErrorReply,
  tokenInHeader,
} from '../http/request-checks.ts';
import { type OperationContext, type OperationHandler, operation } from '../operation.ts';
import type { Sim } from '../state/state.ts';
import { inEnvelope } from './plans.ts';

/** A quiet zone of four modules and six pixels per module: an image of some 230 pixels. */
const layout = { border: 4, scale: 6 };

/** Creates the PNG that a phone scans to find the profile (GSMA SGP.22). */
function qrImage({ activationCode, smdp }: Sim): Buffer {
  const code = activationCode.startsWith('LPA:') ? activationCode : `LPA:1$${smdp}$${activationCode}`;
  const pixels = encodeQR(code, 'raw', layout);
  const data = Uint8Array.from(pixels.flat(), (dark) => (dark ? 0 : 255));
  return Buffer.from(encode({ width: pixels.length, height: pixels.length, channels: 1, depth: 8, data }));
}

interface QrRequest {
  sim: Sim;
  /** The image's base64. */
  base64: string;
  context: OperationContext;
}

/** The shapes of a QR code's answer, by the last but one digit of the ICCID. No source shows the true one. */
const shapes: readonly { what: string; answer(request: QrRequest): FullReply }[] = [
  { what: 'the bytes of a PNG', answer: ({ sim }) => bytes(sim) },
  { what: 'a data URI in JSON', answer: ({ base64 }) => ok({ qrCode: dataUri(base64) }) },
  { what: 'base64 in JSON', answer: ({ base64 }) => ok({ qrCode: base64 }) },
  {
    what: 'an address in JSON',
    answer: ({ sim, context }) => ok({ qrCodeUrl: `${context.origin}/api/esim/qr/${sim.iccid}` }),
  },
  {
    what: 'a data URI in JSON, in the envelope',
    answer: ({ base64, context }) => fetched({ qrCode: dataUri(base64) }, context),
  },
  {
    what: 'the text to draw it from, in the envelope',
    answer: ({ sim, context }) => fetched({ activationCode: sim.activationCode, smdp: sim.smdp }, context),
  },
  { what: 'a data URI as text', answer: ({ base64 }) => text(dataUri(base64)) },
  { what: 'base64 as text', answer: ({ base64 }) => text(base64) },
  {
    what: 'a 404',
    answer: () => {
      throw new ProviderErrorReply(404, 'The QR code is not ready yet');
    },
  },
  { what: '200 and nothing', answer: () => text('') },
];

/** The shapes by that digit, from 0, for the page. */
export const qrCodeShapes: readonly string[] = shapes.map(({ what }) => what);

/** API §4.13.6. */
const code = operation({
  name: 'esims.qrCode',
  method: 'GET',
  path: '/api/esim/activate/{iccid}/qr/code',
  credentials: tokenInHeader,
  fields: iccidField,
  answer({ iccid }, context) {
    const sim = findSim(context.account, iccid);
    const shape = shapes[Number(iccid.at(-2))];
    if (!shape) {
      throw new Error(`${iccid} does not end with digits`);
    }
    return shape.answer({ sim, base64: qrImage(sim).toString('base64'), context });
  },
});

/** The image behind the address of a QR code. Public, as an address for a browser is. */
const image = operation({
  name: 'esims.qrImage',
  method: 'GET',
  path: '/api/esim/qr/{iccid}',
  credentials: ownerOfIccid,
  fields: iccidField,
  answer: ({ iccid }, { account }) => bytes(findSim(account, iccid)),
});

function bytes(sim: Sim): FullReply {
  return { kind: 'answer', status: 200, headers: { 'content-type': 'image/png' }, body: qrImage(sim) };
}

function text(body: string): FullReply {
  return { kind: 'answer', status: 200, headers: { 'content-type': 'text/plain' }, body };
}

function dataUri(base64: string): string {
  return `data:image/png;base64,${base64}`;
}

function fetched(data: JsonObject, context: OperationContext): FullReply {
  return inEnvelope(data, 'QR code fetched successfully', context);
}

export const qrOperations: readonly OperationHandler[] = [code, image];
