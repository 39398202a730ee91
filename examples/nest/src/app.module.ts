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
          // Who may be in front of this application: a proxy on the same machine.
          trustedProxies: ['loopback'],
        }),
    },
  ],
})
export class AppModule {}
