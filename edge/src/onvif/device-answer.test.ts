import { describe, expect, test } from 'vitest';
import { readDeviceAnswer } from './device-answer.ts';

const XML = '<?xml version="1.0"?><s:Envelope><s:Body><a>ö</a></s:Body></s:Envelope>';
const LENGTH = Buffer.byteLength(XML);
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

const read = (text: string, ended = false) => readDeviceAnswer(Buffer.from(text), ended);

describe('an answer in order', () => {
  test.each([
    ['with its length', `HTTP/1.1 200 OK\r\nContent-Length: ${LENGTH}\r\n\r\n${XML}`, false],
    ['in chunks', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(XML)}0\r\n\r\n`, false],
    ['that ends by closing', `HTTP/1.0 200 OK\r\nContent-Type: text/xml\r\n\r\n${XML}`, true],
    ['after one that says to go on', `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n${XML}`, true],
  ])('is read as it is: %s', (_, text, ended) => {
    expect(read(text, ended)).toMatchObject({ status: 200, isWhole: 'yes', faults: [] });
    expect(read(text, ended)?.body.toString()).toBe(XML);
  });

  test('is whole at no byte before its end', () => {
    const whole = `HTTP/1.1 401 No\r\nWWW-Authenticate: Digest a\r\nWWW-Authenticate: Basic b\r\nContent-Length: 5\r\n\r\nhello`;
    for (let length = 0; length < whole.length; length++) {
      expect(read(whole.slice(0, length))?.isWhole ?? 'no').toBe('no');
    }
    expect(read(whole)).toMatchObject({ status: 401, challenges: ['Digest a', 'Basic b'], isWhole: 'yes' });
  });
});

describe('an answer of a device that speaks badly', () => {
  test.each([
    ['no head at all', XML, 'it has no status line'],
    [
      'no status line',
      `Content-Type: text/xml\r\nContent-Length: ${LENGTH}\r\n\r\n${XML}`,
      'it has no status line',
    ],
    ['HTTP without a version', `HTTP 200 OK\r\n\r\n${XML}`, 'its status line is not as HTTP has it'],
    [
      'the status alone',
      `200 OK\r\nContent-Type: text/xml\r\n\r\n${XML}`,
      'its status line is not as HTTP has it',
    ],
    [
      'a line that is no header',
      `HTTP/1.1 200 OK\r\nIPC Web Server\r\n\r\n${XML}`,
      'a line of its head is no header',
    ],
    ['no empty line', `HTTP/1.1 200 OK\r\nServer: x\r\n${XML}`, 'its head does not end'],
    [
      'a length that is too long',
      `HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n${XML}`,
      'it has another length than it says',
    ],
    [
      'a length that is too short',
      `HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n${XML}`,
      'it has another length than it says',
    ],
    [
      'chunks that are none',
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${XML}`,
      'its chunks are broken',
    ],
  ])('is understood: %s', (_, text, fault) => {
    const answer = read(text);
    expect(answer).toMatchObject({ status: 200, isWhole: 'yes', faults: [fault] });
    expect(answer?.body.toString()).toBe(XML);
  });

  test('is whole where its document ends, if its chunks do not end', () => {
    const text = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(XML)}`;
    expect(read(text)).toMatchObject({ isWhole: 'yes' });
    expect(read(text.slice(0, -20))).toMatchObject({ isWhole: 'no' });
  });

  test('goes on for a moment if its length was counted in letters', () => {
    const text = `HTTP/1.1 200 OK\r\nContent-Length: ${LENGTH - 20}\r\n\r\n${XML}`;
    expect(read(text.slice(0, -15))).toMatchObject({ isWhole: 'perhaps' });
    expect(read(text)).toMatchObject({ isWhole: 'yes' });
  });

  test('that offers a login without a status wants one', () => {
    expect(read('WWW-Authenticate: Digest realm="x"\r\n\r\n', true)).toMatchObject({ status: 401 });
  });

  test('is no answer where it is cut off', () => {
    expect(read(XML.slice(0, -10), true)).toMatchObject({ isWhole: 'no' });
    expect(read(`HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhello`, true)).toMatchObject({
      isWhole: 'no',
    });
  });
});
