import type { ReactNode } from "react";

export const metadata = { title: "Shop" };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body style={{ font: "1rem/1.5 system-ui", margin: "2rem auto", maxWidth: "40rem" }}>
        {children}
      </body>
    </html>
  );
}
