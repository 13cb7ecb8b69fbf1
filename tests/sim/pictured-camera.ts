import { bodyBytes, type CameraPost, type SimulatedCamera } from './camera.ts';
import { carPicture } from './car-picture.ts';
import { TINY_JPEG } from './jpeg.ts';

/** The same camera, with pictures that show the car and its plate. */
export function picturedCamera(camera: SimulatedCamera): SimulatedCamera {
  return {
    ...camera,
    see(sighting) {
      const plate = sighting.carPlate ?? sighting.plate ?? '';
      const picture = carPicture(plate, sighting.at, { isDirty: sighting.plate === null });
      return camera.see(sighting).map((document) => showing(document, picture));
    },
  };
}

/** All of its pictures are that one, in base64 or as it is. */
function showing(document: CameraPost, picture: Buffer): CameraPost {
  const inText = replaced(Buffer.from(bodyBytes(document)), TINY_JPEG, picture.toString('base64'));
  const tiny = Buffer.from(TINY_JPEG, 'base64');
  // Parts of a multipart body may contain their length.
  const measured = replaced(
    inText,
    `Content-Length: ${tiny.length}\r\n`,
    `Content-Length: ${picture.length}\r\n`,
  );
  const body = replaced(measured, tiny, picture);
  return { ...document, body: new Uint8Array(body) };
}

function replaced(bytes: Buffer, what: string | Buffer, by: string | Buffer): Buffer {
  const pieces: Buffer[] = [];
  let from = 0;
  for (let at = bytes.indexOf(what); at !== -1; at = bytes.indexOf(what, from)) {
    pieces.push(bytes.subarray(from, at), Buffer.from(by));
    from = at + Buffer.byteLength(what);
  }
  return Buffer.concat([...pieces, bytes.subarray(from)]);
}
