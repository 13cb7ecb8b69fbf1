import type { CommandReply, SiteCommand } from '@hlid/protocol/site-link/commands';
import type { TestApi } from './api.ts';
import { TINY_JPEG } from './sample-documents.ts';

export const JPEG = Buffer.from(TINY_JPEG, 'base64');

/** A site uploads a picture for a command. */
export async function uploadFor(
  api: TestApi,
  commandId: string,
  { body = JPEG, site = api.site }: { body?: Buffer; site?: { id: string; secret: string } } = {},
) {
  return await api.call('PUT', `/edge/camera-pictures/${commandId}`, {
    body,
    token: `${site.id}.${site.secret}`,
    headers: { 'content-type': 'image/jpeg' },
  });
}

/** How a site answers commands about its devices, all of which work. */
export function deviceAnswers(
  api: TestApi,
): (command: SiteCommand) => Partial<CommandReply> | Promise<Partial<CommandReply>> {
  return (command) => {
    switch (command.action) {
      case 'take-picture':
        return uploadFor(api, command.id).then(() => ({ cameraId: 'cam-in-1' }));
      case 'try-again':
        return { device: { state: 'ok', since: command.sentAt, detail: '' } };
      case 'find-cameras':
        return {
          cameras: [
            {
              address: 'http://10.0.0.9/onvif/device_service',
              name: 'Gate',
              maker: '',
              model: 'PLATE-1',
              profiles: ['M'],
              configured: [{ kind: 'camera', id: 'cam-in-1' }],
            },
          ],
        };
      default:
        return {};
    }
  };
}
