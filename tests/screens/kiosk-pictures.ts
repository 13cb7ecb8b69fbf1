import type { Browser } from 'playwright-core';

const CARS = [
  { ground: '#8fa3b3', body: '#a8332a', plate: 'MK J45' },
  { ground: '#6f7f72', body: '#e6e9ec', plate: 'MK R12' },
  { ground: '#39434d', body: '#1f5fa8', plate: 'AB 123' },
];

/** Pictures of an entrance, as a camera would send them. */
export async function takePictures(browser: Browser): Promise<Buffer[]> {
  const page = await browser.newPage({ viewport: { width: 640, height: 480 } });
  const pictures: Buffer[] = [];
  for (const { ground, body, plate } of CARS) {
    await page.setContent(`<style>body{margin:0;background:linear-gradient(${ground},#c9d2d9 55%,#4c555d 55%,#3b4248)}
      div{position:absolute}</style>
      <div style="left:110px;top:110px;width:420px;height:190px;background:${body};border-radius:110px 110px 30px 30px"></div>
      <div style="left:165px;top:135px;width:310px;height:95px;background:#26323c;border-radius:70px 70px 12px 12px"></div>
      <div style="left:70px;top:235px;width:500px;height:150px;background:${body};border-radius:46px"></div>
      <div style="left:95px;top:262px;width:80px;height:44px;background:#fff6d6;border-radius:22px"></div>
      <div style="left:465px;top:262px;width:80px;height:44px;background:#fff6d6;border-radius:22px"></div>
      <div style="left:110px;top:372px;width:80px;height:50px;background:#14191d;border-radius:12px"></div>
      <div style="left:450px;top:372px;width:80px;height:50px;background:#14191d;border-radius:12px"></div>
      <div style="left:235px;top:318px;width:170px;height:42px;background:#fff;border:3px solid #12347a;border-radius:6px;
        font:700 34px/42px sans-serif;color:#12347a;text-align:center">${plate}</div>`);
    pictures.push(await page.screenshot({ type: 'jpeg', quality: 70 }));
  }
  await page.close();
  return pictures;
}
