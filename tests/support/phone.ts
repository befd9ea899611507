import { devices, type Page } from "@playwright/test";

const { userAgent, isMobile, hasTouch, deviceScaleFactor } = devices["Pixel 7"];
export const PHONE = { width: 390, height: 844 };
/** WCAG 2.2, 1.4.10. */
export const NARROWEST = { width: 320, height: 640 };

/** For `test.use`: pages are loaded on a phone. */
export const ON_A_PHONE = { viewport: PHONE, userAgent, isMobile, hasTouch, deviceScaleFactor };

/** Shows a page that is open on a computer as a phone does: narrow, with a finger in the place of a mouse. */
export interface PhoneView {
  show(size: { width: number; height: number }): Promise<void>;
  /** Back to the computer; with its mouse from the next page that is loaded on. */
  end(): Promise<void>;
}

/** By the switch of a browser's developer tools. The page is not loaded again. */
export async function openPhoneView(page: Page): Promise<PhoneView> {
  const devtools = await page.context().newCDPSession(page);
  const onComputer = page.viewportSize();
  if (!onComputer) throw new Error("the page has no size of its own");
  const resize = async (size: { width: number; height: number }, mobile: boolean) => {
    const density = mobile ? deviceScaleFactor : 1;
    await devtools.send("Emulation.setDeviceMetricsOverride", { ...size, mobile, deviceScaleFactor: density });
    await devtools.send("Emulation.setTouchEmulationEnabled", { enabled: mobile });
    await page.waitForFunction(
      ({ width, hasFinger }) =>
        document.documentElement.clientWidth === width &&
        window.matchMedia("(pointer: coarse) and (hover: none)").matches === hasFinger,
      { width: size.width, hasFinger: mobile },
    );
  };
  return { show: (size) => resize(size, true), end: () => resize(onComputer, false) };
}
