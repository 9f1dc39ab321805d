-- Without a primary key: nothing but the lock keeps a report from being written twice.
create table if not exists report (number integer not null, instance text not null);
