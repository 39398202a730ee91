import { Module } from '@nestjs/common';
import { Gatehouse } from 'gatehouse-client';
import { SignupController } from './signup.controller.js';

@Module({
  controllers: [SignupController],
  providers: [
    {
      provide: Gatehouse,
      useFactory: () =>
        new Gatehouse({
          url: process.env.GATEHOUSE_URL,
          key: process.env.GATEHOUSE_KEY,
          // Proxies that may be in front of this application: those on the same machine.
          trustedProxies: ['loopback'],
        }),
    },
  ],
})
export class AppModule {}
